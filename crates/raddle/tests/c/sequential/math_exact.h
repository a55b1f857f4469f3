/* Exact functions of <math.h> of one argument, bit for bit, with errno. */
#include "math_encodings.h"

static void one(real x) {
  int e = 7;
  long k;
  real whole = 7, y = 7;
  show(x);
  y = F(frexp)(x, &e), show(y), printf(" %d", e);
  y = F(modf)(x, &whole), show(y), show(whole);
  show(F(logb)(x)), end();
  e = F(ilogb)(x), printf(" %d", e), end();
  k = F(llogb)(x), printf(" %ld", k), end();
  show(F(significand)(x)), end();
  show(F(nextup)(x)), show(F(nextdown)(x)), end();
  show(F(roundeven)(x)), show(F(rint)(x)), show(F(nearbyint)(x)), show(F(trunc)(x)), end();
  printf(" %ld %ld %lld %lld", F(lrint)(x), F(lround)(x), F(llrint)(x), F(llround)(x)), end();
  e = F(canonicalize)(&y, &x), show(y), printf(" %d", e);
  show(F(getpayload)(&x)), end();
  e = F(setpayload)(&y, x), printf(" %d", e), show(F(getpayload)(&y)), printf(" %d", issignaling(y) != 0);
  e = F(setpayloadsig)(&y, x), printf(" %d", e), show(F(getpayload)(&y)), printf(" %d", issignaling(y) != 0), end();
  printf(" %d %d %d %d", fpclassify(x), isinf(x), isnan(x) != 0, F(finite)(x)), end();
  for (int n = 0; n < 5; n++) {
    int direction = n, width = draw() % 66;
    printf(" %ld %lu", F(fromfp)(x, direction, width), F(ufromfp)(x, direction, 64)), end();
    printf(" %ld %lu", F(fromfpx)(x, direction, 64), F(ufromfpx)(x, direction, width)), end();
  }
  for (int n = 0; n < 4; n++) {
    int by = n == 0 ? (int)(draw() % 5) - 2 : n == 1 ? (int)(draw() % (2 * LARGEST)) - LARGEST : n == 2 ? 2000000000 : -BIAS - (int)(draw() % 80);
    printf(" %d", by), show(F(ldexp)(x, by)), show(F(scalbn)(x, by)), show(F(scalbln)(x, by)), end();
    show(F(scalb)(x, by)), end();
  }
}
int main(void) {
  for (int i = 0; i < 45; i++)
    one(corner(i));
  printf("%d %d\n", F(__isinf)(-INFINITY), F(__issignaling)(F(nan)("")));
  char tags[8][32] = {"", "12", "0x1f", "017", "1z", "0xffffffffffffffff", "99999999999999999999999", "08"};
  for (int i = 0; i < 8; i++) {
    real x = F(nan)(tags[i]);
    show(F(getpayload)(&x));
  }
  puts("");
  return 0;
}
