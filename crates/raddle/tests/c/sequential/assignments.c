// Chained and compound assignments: their values, conversions, and side effects in their operands happen once.
#include <stdio.h>
static int calls, a[4] = {1, 2, 3, 4};
static int index_once(int i) { calls++; return i; }
static int *at(int i) { calls++; return &a[i]; }
struct s { int x; unsigned char c; };
static struct s s = {3, 250}, *ps = &s;
static struct s *get(void) { calls++; return ps; }
int main(void) {
  int i, j, k;
  i = j = k = 7;
  unsigned char c = i = 300;
  int back = c = 300;
  printf("%d %d %d %d %d ", i, j, k, c, back);
  printf("%d\n", (c = 513) == 1);
  a[index_once(1)] += 10;
  a[index_once(2)]++;
  ++*at(3);
  *at(0) <<= 4;
  printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], calls);
  get()->c += 10;
  get()->x *= get()->x - 1;
  printf("%d %d %d\n", s.c, s.x, calls);
  i = 5;
  int q = 10;
  q /= 4; q *= 7; q -= 20; q %= 4; q <<= 3; q |= 5; q &= 14; q ^= 9; q >>= 1;
  printf("%d\n", q);
  char h = 100;
  h += 100;
  short t = -1;
  t >>= 1;
  unsigned char b = 200;
  b <<= 1;
  b = b / 3 * 2;
  int n = 7;
  n *= 1.5;
  n -= 0.9f;
  double d = 7;
  d /= 2;
  d += 1 / 2;
  printf("%d %d %d %d %g\n", h, t, b, n, d);
  unsigned u = 5;
  u -= 6;
  long l = 1;
  l -= 2u;
  long long m = -1;
  m += 1u;
  printf("%u %ld %lld\n", u, l, m);
  int *p = a, *r;
  *p++ = 50; *p++ += 1; *++p = 60;
  r = p -= 2;
  r[1] = *r - 1, r++;
  printf("%d %d %d %d %d\n", a[0], a[1], a[2], a[3], (int)(r - a));
  return (i = 3, i *= i + 1);
}
