// Variable-length arrays of three dimensions, of structs, in recursion, pointers into them.
#include <stdio.h>
static int sum(int n, int m, int k, int a[n + 1][m * 2][k]) { int s = 0; for (int i = 0; i < n + 1; i++) for (int j = 0; j < m * 2; j++) for (int l = 0; l < k; l++) s += a[i][j][l]; return s; }
static void tr(int n, double (*a)[n], double (*b)[n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[j][i] = a[i][j]; }
static int rec(int n) { int a[n]; a[n - 1] = n; return n > 1 ? a[n - 1] + rec(n - 1) : 1; }
int main(void) {
  int n = 1, m = 1, k = 3, a[n + 1][m * 2][k], c = 0;
  for (int i = 0; i < 12; i++) (&a[0][0][0])[i] = i;
  printf("%d %zu\n", sum(n, m, k, a), sizeof a);
  int q = 3; double x[q][q], y[q][q];
  for (int i = 0; i < 9; i++) x[i / 3][i % 3] = i;
  tr(q, x, y);
  printf("%g %g\n", y[0][2], y[2][1]);
  printf("%d\n", rec(5));
  for (int i = 1; i < 5; i++) { int v[i]; if (i == 2) continue; if (i == 4) break; v[i - 1] = i; c += v[i - 1] + sizeof v; }
  printf("%d\n", c);
  int (*p)[q] = (int (*)[q])&a[0][0][0];
  printf("%d %d\n", p[1][1], (int)(&p[3] - p));
  struct s { int n; char t[4]; } vs[q];
  vs[2].t[3] = 'z';
  struct s *ps = &vs[1];
  printf("%c %zu\n", ps[1].t[3], sizeof vs);
  typedef char row[q];
  row rows[2];
  row *pr = rows + 1;
  printf("%zu %zu %d\n", sizeof rows, sizeof *pr, (int)((char *)pr - (char *)rows));
  char (*fp[2])[q];
  fp[0] = &rows[0];
  (*fp[0])[1] = 'k';
  printf("%c\n", rows[0][1]);
  int z = 2;
  int b2[z], *e2 = b2 + z;
  b2[0] = b2[1] = 4;
  while (--e2 >= b2) z += *e2;
  switch (z) { case 10: { int w[z]; w[9] = 1; z = w[9] + sizeof w / 4; } }
  return z; }
