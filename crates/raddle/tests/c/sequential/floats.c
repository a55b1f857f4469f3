// Floating arithmetic in float, double and long double: rounding, infinities, NaNs, signed zeros, hex constants.
#include <stdio.h>
#include <string.h>
static void bits(double d) { unsigned long long u; memcpy(&u, &d, sizeof u); printf("%016llx ", u); }
static void fbits(float f) { unsigned u; memcpy(&u, &f, sizeof u); printf("%08x ", u); }
int main(void) {
  volatile double zero = 0, one = 1, tiny = 0x1p-1074, big = 0x1.fffffffffffffp1023;
  float f = 0.1f;
  double d = 0.1;
  long double l = 0.1L;
  bits(d + 0.2); bits(one / 3); bits(one / zero); bits(-one / zero); bits(-zero); bits(tiny / 2); bits(big * 2);
  putchar('\n');
  fbits(f); fbits(f * 3); fbits((float)d + 1e-8f); fbits(0x1.8p-3f); fbits(1e-46f); fbits(3e38f * 10);
  putchar('\n');
  printf("%d %d %d\n", f == d, (double)f == f, f == 0.1f);
  printf("%d %d %d\n", l == d, (double)l == d, l > d);
  double nan = zero / zero;
  printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan >= 1), nan ? 1 : 0);
  printf("%d %d\n", zero == -zero, one / zero > big);
  printf("%.17g %.9g %.21Lg\n", d, f, l);
  printf("%g %g %g\n", 0x1p4, 0x.8p1, 0x1.8P-1);
  printf("%g %g %g\n", 1e3, .5, 5.);
  printf("%.20Lg\n", (long double)1 / 3 + d * l);
  float sum = 0;
  for (int i = 0; i < 10; i++) sum += 0.1f;
  printf("%.9g %d\n", sum, sum == 1.0f);
  printf("%d %d\n", (int)(f * 10), (int)(d * 10));
  printf("%.17g %.17g\n", (double)(float)1e10, (double)123456789.0f);
  bits((float)0.1 * 0.1); bits(16777217.0f + 1.0); bits(-d); bits(+f);
  printf("\n%d\n", (int)sizeof(1.0f + 1.0L));
  double huge = 1e308;
  return huge * 10 > huge && -huge * 10 < 0;
}
