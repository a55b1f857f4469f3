// Exact functions of <math.h> on double: corner cases and pseudo-random encodings, bit for bit, with errno.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double real;
static real made(unsigned sign, unsigned exponent, unsigned long long fraction) {
  real x = 0;
  unsigned long long bits = (unsigned long long)sign << 63 | (unsigned long long)exponent << 52 | fraction >> 12;
  memcpy(&x, &bits, 8);
  return x;
}
static void show(real x) {
  if (x != x) {
    printf(" nan");
    return;
  }
  unsigned long long bits;
  memcpy(&bits, &x, 8);
  printf(" %llx", bits);
}
static void end(void) {
  printf(" e%d\n", errno);
  errno = 0;
}
static unsigned long long state = 12;
static unsigned long long draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 11;
}
static real any(void) {
  unsigned long long kind = draw() % 4;
  unsigned long long exponent = draw();
  exponent = kind == 0 ? exponent % 3 : kind == 1 ? 1023 - 4 + exponent % 70 : exponent % (2047 + 1);
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
  case 5: return made(0, 2047 - 1, ~0ull);
  case 6: return made(1, 2047, 0);
  case 7: return made(0, 2047, 0);
  case 8: return made(0, 2047, 1ull << 63);
  case 9: return 1;
  case 10: return -1.5;
  case 11: return 2.5;
  case 12: return made(1, 2047 - 1, ~0ull);
  case 13: return 3;
  case 14: return made(0, 1023, 1ull << 42);
  default: return any();
  }
}

static void two(real x, real y) {
  int n = 99;
  real r;
  show(x), show(y);
  show(nextafter(x, y)), end();
  show(nexttoward(x, y)), end();
  show(remainder(x, y)), show(drem(x, y)), end();
  r = remquo(x, y, &n), show(r), printf(" %d", n), end();
  show(scalb(x, y)), end();
  /* Of two zeros, it is the compiler that chooses. */
  if (x != y)
    show(fmax(x, y)), show(fmin(x, y));
  show(fmaxmag(x, y)), show(fminmag(x, y));
  show(fmaximum(x, y)), show(fminimum(x, y)), show(fmaximum_num(x, y)), show(fminimum_num(x, y));
  show(fmaximum_mag(x, y)), show(fminimum_mag(x, y)), show(fmaximum_mag_num(x, y)), show(fminimum_mag_num(x, y)), end();
  if (!issignaling(x) && !issignaling(y))
    printf(" %d %d", totalorder(&x, &y) != 0, totalordermag(&x, &y) != 0);
  printf(" %d", iseqsig(x, y)), end();
}
int main(void) {
  for (int i = 0; i < 15; i++)
    for (int j = 0; j < 15; j++)
      two(corner(i), corner(j));
  for (int i = 0; i < 40; i++) {
    real x = any();
    real y = any();
    if (issignaling(x) || issignaling(y))
      continue;
    two(x, y);
    two(x, x * (i - 20) / 2);
  }
  return 0;
}
