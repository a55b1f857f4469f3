// Exact functions of <math.h> on float: corner cases and pseudo-random encodings, bit for bit, with errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef float real;
static real made(unsigned sign, unsigned exponent, unsigned long long fraction) {
  real x = 0;
  unsigned bits = sign << 31 | exponent << 23 | fraction >> 41;
  memcpy(&x, &bits, 4);
  return x;
}
static void show(real x) {
  if (x != x) {
    printf(" nan");
    return;
  }
  unsigned bits;
  memcpy(&bits, &x, 4);
  printf(" %x", bits);
}
static void end(void) {
  printf(" e%d\n", errno);
  errno = 0;
}
static unsigned long long state = 11;
static unsigned long long draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 11;
}
static real any(void) {
  unsigned long long kind = draw() % 4;
  unsigned long long exponent = draw();
  exponent = kind == 0 ? exponent % 3 : kind == 1 ? 127 - 4 + exponent % 70 : exponent % (255 + 1);
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
  case 5: return made(0, 255 - 1, ~0ull);
  case 6: return made(1, 255, 0);
  case 7: return made(0, 255, 0);
  case 8: return made(0, 255, 1ull << 63);
  case 9: return 1;
  case 10: return -1.5;
  case 11: return 2.5;
  case 12: return made(1, 255 - 1, ~0ull);
  case 13: return 3;
  case 14: return made(0, 127, 1ull << 42);
  default: return any();
  }
}

static void one(real x) {
  int e = 7;
  long k;
  real whole = 7, y = 7;
  show(x);
  y = frexpf(x, &e), show(y), printf(" %d", e);
  y = modff(x, &whole), show(y), show(whole);
  show(logbf(x)), end();
  e = ilogbf(x), printf(" %d", e), end();
  k = llogbf(x), printf(" %ld", k), end();
  show(significandf(x)), end();
  show(nextupf(x)), show(nextdownf(x)), end();
  show(roundevenf(x)), show(rintf(x)), show(nearbyintf(x)), show(truncf(x)), end();
  printf(" %ld %ld %lld %lld", lrintf(x), lroundf(x), llrintf(x), llroundf(x)), end();
  e = canonicalizef(&y, &x), show(y), printf(" %d", e);
  show(getpayloadf(&x)), end();
  e = setpayloadf(&y, x), printf(" %d", e), show(getpayloadf(&y)), printf(" %d", issignaling(y) != 0);
  e = setpayloadsigf(&y, x), printf(" %d", e), show(getpayloadf(&y)), printf(" %d", issignaling(y) != 0), end();
  printf(" %d %d %d %d", fpclassify(x), isinf(x), isnan(x) != 0, finitef(x)), end();
  for (int n = 0; n < 5; n++) {
    int direction = n, width = draw() % 66;
    printf(" %ld %lu", fromfpf(x, direction, width), ufromfpf(x, direction, 64)), end();
    printf(" %ld %lu", fromfpxf(x, direction, 64), ufromfpxf(x, direction, width)), end();
  }
  for (int n = 0; n < 4; n++) {
    int by = n == 0 ? (int)(draw() % 5) - 2 : n == 1 ? (int)(draw() % (2 * 255)) - 255 : n == 2 ? 2000000000 : -127 - (int)(draw() % 80);
    printf(" %d", by), show(ldexpf(x, by)), show(scalbnf(x, by)), show(scalblnf(x, by)), end();
    show(scalbf(x, by)), end();
  }
}
int main(void) {
  for (int i = 0; i < 45; i++)
    one(corner(i));
  printf("%d %d\n", __isinff(-INFINITY), __issignalingf(nanf("")));
  char tags[8][32] = {"", "12", "0x1f", "017", "1z", "0xffffffffffffffff", "99999999999999999999999", "08"};
  for (int i = 0; i < 8; i++) {
    real x = nanf(tags[i]);
    show(getpayloadf(&x));
  }
  puts("");
  return 0;
}
