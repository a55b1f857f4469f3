/* Encodings of the format REAL, with the suffix of its functions: corner cases and pseudo-random ones. */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef REAL real;
#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#define F(name) JOINED(name, SUFFIX)

/* By sign, exponent, and a fraction whose upper bits count. */
static real made(unsigned sign, unsigned exponent, unsigned long long fraction) {
  real x = 0;
  if (LARGEST == 255) {
    unsigned bits = sign << 31 | exponent << 23 | fraction >> 41;
    memcpy(&x, &bits, 4);
  } else if (LARGEST == 2047) {
    unsigned long long bits = (unsigned long long)sign << 63 | (unsigned long long)exponent << 52 | fraction >> 12;
    memcpy(&x, &bits, 8);
  } else {
    unsigned short upper = sign << 15 | exponent;
    fraction = fraction >> 1 | (exponent ? 1ull << 63 : 0);
    memcpy(&x, &fraction, 8);
    memcpy((char *)&x + 8, &upper, 2);
  }
  return x;
}
static void show(real x) {
  if (x != x) {
    printf(" nan");
    return;
  }
  unsigned short upper = 0;
  unsigned long long bits = 0;
  memcpy(&bits, &x, LARGEST == 255 ? 4 : 8);
  if (LARGEST == 32767)
    memcpy(&upper, (char *)&x + 8, 2);
  printf(" %x.%llx", upper, bits);
}
static void end(void) {
  printf(" e%d\n", errno);
  errno = 0;
}
static unsigned long long state = SEED;
static unsigned long long draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 11;
}
static real any(void) {
  unsigned long long kind = draw() % 4;
  unsigned long long exponent = draw();
  exponent = kind == 0 ? exponent % 3 : kind == 1 ? BIAS - 4 + exponent % 70 : exponent % (LARGEST + 1);
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
  case 5: return made(0, LARGEST - 1, ~0ull);
  case 6: return made(1, LARGEST, 0);
  case 7: return made(0, LARGEST, 0);
  case 8: return made(0, LARGEST, 1ull << 63);
  case 9: return 1;
  case 10: return -1.5;
  case 11: return 2.5;
  case 12: return made(1, LARGEST - 1, ~0ull);
  case 13: return 3;
  case 14: return made(0, BIAS, 1ull << 42);
  default: return any();
  }
}
