// Exact functions of <math.h> on long double: corner cases and pseudo-random encodings, bit for bit, with errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef long double real;
static real made(unsigned sign, unsigned exponent, unsigned long long fraction) {
  real x = 0;
  unsigned short upper = sign << 15 | exponent;
  fraction = fraction >> 1 | (exponent ? 1ull << 63 : 0);
  memcpy(&x, &fraction, 8);
  memcpy((char *)&x + 8, &upper, 2);
  return x;
}
static void show(real x) {
  if (x != x) {
    printf(" nan");
    return;
  }
  unsigned short upper;
  unsigned long long bits;
  memcpy(&bits, &x, 8);
  memcpy(&upper, (char *)&x + 8, 2);
  printf(" %x.%llx", upper, bits);
}
static void end(void) {
  printf(" e%d\n", errno);
  errno = 0;
}
static unsigned long long state = 13;
static unsigned long long draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 11;
}
static real any(void) {
  unsigned long long kind = draw() % 4;
  unsigned long long exponent = draw();
  exponent = kind == 0 ? exponent % 3 : kind == 1 ? 16383 - 4 + exponent % 70 : exponent % (32767 + 1);
  unsigned long long sign = draw() & 1, upper = draw() << 12, lower = draw();
  return made(sign, exponent, upper ^ lower);
}
static real corner(int i) {
  switch (i) {
  case 0: return 0;
  case 1: return made(1, 0, 0);
  case 2: return made(0, 0, 1ull << 41);
  case 3: return made(1, 0, ~0ull);
  case 4: return made(0, 1, 0);
  case 5: return made(0, 32767 - 1, ~0ull);
  case 6: return made(1, 32767, 0);
  case 7: return made(0, 32767, 0);
  case 8: return made(0, 32767, 1ull << 63);
  case 9: return 1;
  case 10: return -1.5;
  case 11: return 2.5;
  case 12: return made(1, 32767 - 1, ~0ull);
  case 13: return 3;
  case 14: return made(0, 16383, 1ull << 42);
  default: return any();
  }
}

static void one(real x) {
  int e = 7;
  long k;
  real whole = 7, y = 7;
  show(x);
  y = frexpl(x, &e), show(y), printf(" %d", e);
  y = modfl(x, &whole), show(y), show(whole);
  show(logbl(x)), end();
  e = ilogbl(x), printf(" %d", e), end();
  k = llogbl(x), printf(" %ld", k), end();
  show(significandl(x)), end();
  show(nextupl(x)), show(nextdownl(x)), end();
  show(roundevenl(x)), show(rintl(x)), show(nearbyintl(x)), show(truncl(x)), end();
  printf(" %ld %ld %lld %lld", lrintl(x), lroundl(x), llrintl(x), llroundl(x)), end();
  e = canonicalizel(&y, &x), show(y), printf(" %d", e);
  show(getpayloadl(&x)), end();
  e = setpayloadl(&y, x), printf(" %d", e), show(getpayloadl(&y)), printf(" %d", issignaling(y) != 0);
  e = setpayloadsigl(&y, x), printf(" %d", e), show(getpayloadl(&y)), printf(" %d", issignaling(y) != 0), end();
  printf(" %d %d %d %d", fpclassify(x), isinf(x), isnan(x) != 0, finitel(x)), end();
  for (int n = 0; n < 5; n++) {
    int direction = n, width = draw() % 66;
    printf(" %ld %lu", fromfpl(x, direction, width), ufromfpl(x, direction, 64)), end();
    printf(" %ld %lu", fromfpxl(x, direction, 64), ufromfpxl(x, direction, width)), end();
  }
  for (int n = 0; n < 4; n++) {
    int by = n == 0 ? (int)(draw() % 5) - 2 : n == 1 ? (int)(draw() % (2 * 32767)) - 32767 : n == 2 ? 2000000000 : -16383 - (int)(draw() % 80);
    printf(" %d", by), show(ldexpl(x, by)), show(scalbnl(x, by)), show(scalblnl(x, by)), end();
    show(scalbl(x, by)), end();
  }
}
int main(void) {
  for (int i = 0; i < 45; i++)
    one(corner(i));
  printf("%d %d\n", __isinfl(-INFINITY), __issignalingl(nanl("")));
  char tags[8][32] = {"", "12", "0x1f", "017", "1z", "0xffffffffffffffff", "99999999999999999999999", "08"};
  for (int i = 0; i < 8; i++) {
    real x = nanl(tags[i]);
    show(getpayloadl(&x));
  }
  puts("");
  return 0;
}
