// Variable-length arrays: sizeof, two dimensions, as parameters, in loops, typedefs, and sizes with side effects.
#include <stdio.h>
static int total(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i][j];
  return s + (int)sizeof a[0] * 1000;
}
static int trace(int n, int (*a)[n]) { int s = 0; while (n--) s += a[n][n]; return s; }
static int calls;
static int count(void) { return ++calls; }
static void swap(int n, int a[const restrict n]) { int t = a[0]; a[0] = a[n - 1]; a[n - 1] = t; }
int main(void) {
  int n = 3, m = 4;
  int a[n][m];
  for (int i = 0; i < n * m; i++) a[i / m][i % m] = i;
  printf("%d %d %d\n", total(n, m, a), (int)sizeof a, (int)sizeof a[1]);
  n = 10;
  printf("%d %d\n", (int)sizeof a, (int)(&a[2][1] - &a[0][0]));
  int (*row)[m] = a;
  m = 99;
  row++;
  printf("%d %d %d\n", (*row)[1], row[1][0], (int)sizeof *row);
  for (int k = 1; k <= 3; k++) {
    char s[k * 2];
    s[sizeof s - 1] = (char)('a' + k);
    printf("%d%c ", (int)sizeof s, s[2 * k - 1]);
  }
  putchar('\n');
  typedef int line[n];
  n = 2;
  line l;
  printf("%d\n", (int)(sizeof(line) / sizeof *l));
  int square[2][2] = {{1, 2}, {3, 4}};
  printf("%d %d\n", trace(2, square), (int)sizeof(int[count()]));
  int v[count() + 1];
  v[0] = 5; v[1] = 6; v[2] = 7;
  swap(3, v);
  printf("%d %d %d %d\n", v[0], v[2], (int)sizeof(v), calls);
  int again = 0;
back:;
  int w[again + 1];
  w[again] = again;
  printf("%d ", (int)sizeof w);
  if (++again < 3) goto back;
  putchar('\n');
  struct { int x; } s[n];
  s[1].x = 4;
  return s[1].x + (int)(sizeof s / sizeof s[0]);
}
