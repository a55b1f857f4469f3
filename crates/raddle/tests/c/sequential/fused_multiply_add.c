// fma, fmaf and fmal round once.
#include <math.h>
#include <stdio.h>
int main(void) {
  double d[] = {0.1, 10, -1, 1e308, 3, 5e-324, 0.5, 1e-200, -0.0, INFINITY, 1 / 3.0};
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 11; j += 3) {
      double a = d[i], b = d[(i + j + 1) % 11], c = d[(3 * i + j + 2) % 11];
      float x = a, y = b, z = c;
      long double p = a, q = b, r = c;
      double s = fma(a, b, c), t = fma(a, b, -(a * b));
      float u = fmaf(x, y, z), v = fmaf(x, y, -(x * y));
      long double w = fmal(p, q, r), m = fmal(p / 3, q, -(p / 3 * q));
      printf("%.17g %.17g %.9g %.9g %.21Lg %.21Lg\n", s, t, u, v, w, m);
    }
  double a = 0.1;
  printf("%.17g %.17g\n", a * 10 - 1, fma(a, 10, -1));
  printf("%.17g %.9g\n", __builtin_fma(a, 10, -1), __builtin_fmaf(0.1f, 10, -1));
  printf("%.21Lg %d\n", __builtin_fmal(0.1L, 10, -1), isnan(fma(INFINITY, 0, a)) != 0);
  return fma(a, 10, -1) > 0;
}
