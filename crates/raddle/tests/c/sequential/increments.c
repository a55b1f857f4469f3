// ++ and -- on every kind of lvalue, with wrap-around and narrow types.
#include <stdio.h>
#include <limits.h>
static int g = 5, array[3] = {1, 2, 3};
struct s { short h; int *p; double d; } s = {SHRT_MAX, array, 1.5};
int main(void) {
  int i = 0, j = i++ + 10, k = ++i * 2;
  printf("%d %d %d\n", i, j, k);
  unsigned char c = 255;
  printf("%d ", c++);
  printf("%d ", c--);
  printf("%d ", --c);
  printf("%d\n", ++c);
  signed char sc = 127;
  sc++;
  int big = INT_MAX;
  big++;
  unsigned u = 0;
  u--;
  printf("%d %d %u\n", sc, big, u);
  s.h++;
  *s.p++ += 10;
  ++*s.p;
  (*s.p)--;
  s.d--;
  ++s.d;
  printf("%d %d %d %d %g\n", s.h, array[0], array[1], *s.p, s.d++);
  printf("%g\n", s.d);
  _Bool b = 0;
  b++; b++;
  printf("%d\n", b);
  char text[] = "abc", *p = text;
  while (*p) (*p++)++;
  printf("%s %d\n", text, (int)(p - text));
  int (*row)[2], grid[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  row = grid;
  row++;
  printf("%d ", (*row++)[1]);
  printf("%d ", row--[0][0]);
  printf("%d\n", **--row);
  float f = 16777216.0f;
  f++;
  printf("%.1f\n", f);
  int *q = &g;
  int old = (*q)++;
  printf("%d %d\n", old, g);
  long long ll = LLONG_MIN;
  ll--;
  return ll > 0;
}
