// Constant expressions in static initialisers, enumerations, array bounds and bit-field widths.
#include <stdio.h>
static int a[10];
static long d = &a[7] - &a[2];
static char c = (char)300;
static int f = (int)3.99 + (3.0 > 2);
static int nz = &a[0] != 0;
static unsigned char arr[(int)2.5 + sizeof(char[3])];
enum { E1 = (char)200, E2 = sizeof(int) * 2, E3 = 1 ? 5 : 1 / 0, E4 = -1 > 0u, E5 = 'a' < 'b', E6 = (int)1.5f };
static struct { unsigned b : E2; } s = {200};
static double inf = 1.0 / 0.0, third = 1 / 3., q = 1e400;
static const int k = 5;
static int from_const = k + 1;
static int *null = (int *)0, *abs_ = (int *)16;
static _Bool bb = 2;
static long long big = 1ll << 62 | 0xffffffffu + 1ull;
static float fl = 0.1;
static long double ld = 0.1;
static unsigned u = -1;
static short sh = 70000;
static int neg = -5 / 2 * 10 + -5 % 3;
static int shifted = -8 >> 1;
static char *str = "abc" + 1;
static int cmp = "a" == 0;
static int tern = sizeof(int) == 4 ? 10 : 20;
static int logic = 0 && (1 / 0);
int main(void) {
  printf("%ld %d %d %d %zu %d %d %d %d %d %d\n", d, c, f, nz, sizeof arr, E1, E2, E3, E4, E5, E6);
  printf("%u %g %.17g %g %d %d %d\n", s.b, inf, third, q, from_const, null == 0, (int)(long)abs_);
  printf("%d %lld %.10f %.20Lf %u %d %d %d %s %d %d %d\n", bb, big, fl, ld, u, sh, neg, shifted, str, cmp, tern, logic);
  return 0;
}
