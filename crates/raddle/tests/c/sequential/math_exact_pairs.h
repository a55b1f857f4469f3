/* Exact functions of <math.h> of two arguments, bit for bit, with errno. */
#include "math_encodings.h"

static void two(real x, real y) {
  int n = 99;
  real r;
  show(x), show(y);
  show(F(nextafter)(x, y)), end();
  show(F(nexttoward)(x, y)), end();
  show(F(remainder)(x, y)), show(F(drem)(x, y)), end();
  r = F(remquo)(x, y, &n), show(r), printf(" %d", n), end();
  show(F(scalb)(x, y)), end();
  /* Of two zeros, it is the compiler that chooses. */
  if (x != y)
    show(F(fmax)(x, y)), show(F(fmin)(x, y));
  show(F(fmaxmag)(x, y)), show(F(fminmag)(x, y));
  show(F(fmaximum)(x, y)), show(F(fminimum)(x, y)), show(F(fmaximum_num)(x, y)), show(F(fminimum_num)(x, y));
  show(F(fmaximum_mag)(x, y)), show(F(fminimum_mag)(x, y)), show(F(fmaximum_mag_num)(x, y)), show(F(fminimum_mag_num)(x, y)), end();
  if (!issignaling(x) && !issignaling(y))
    printf(" %d %d", F(totalorder)(&x, &y) != 0, F(totalordermag)(&x, &y) != 0);
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
