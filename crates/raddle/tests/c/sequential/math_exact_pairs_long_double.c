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

static void two(real x, real y) {
  int n = 99;
  real r;
  show(x), show(y);
  show(nextafterl(x, y)), end();
  show(nexttowardl(x, y)), end();
  show(remainderl(x, y)), show(dreml(x, y)), end();
  r = remquol(x, y, &n), show(r), printf(" %d", n), end();
  show(scalbl(x, y)), end();
  /* Of two zeros, it is the compiler that chooses. */
  if (x != y)
    show(fmaxl(x, y)), show(fminl(x, y));
  show(fmaxmagl(x, y)), show(fminmagl(x, y));
  show(fmaximuml(x, y)), show(fminimuml(x, y)), show(fmaximum_numl(x, y)), show(fminimum_numl(x, y));
  show(fmaximum_magl(x, y)), show(fminimum_magl(x, y)), show(fmaximum_mag_numl(x, y)), show(fminimum_mag_numl(x, y)), end();
  if (!issignaling(x) && !issignaling(y))
    printf(" %d %d", totalorderl(&x, &y) != 0, totalordermagl(&x, &y) != 0);
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
