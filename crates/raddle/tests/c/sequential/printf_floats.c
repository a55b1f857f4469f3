// printf: floating conversions with all flags, widths and precisions.
#include <stdio.h>
#include <float.h>
#include <math.h>
int main(void) {
  double v[] = {0, 1, -1.5, 0.1, 123456789.125, 1e-7, 1e100, 2.5, 3.5, 0.000123456, 999999.5, -0.0};
  for (int i = 0; i < 12; i++) printf("[%f] [%e] [%g] [%a]\n", v[i], v[i], v[i], v[i]);
  for (int i = 0; i < 12; i++) printf("[%.0f] [%.2f] [%.0e] [%.3g] [%.10g] [%.1a]\n", v[i], v[i], v[i], v[i], v[i], v[i]);
  printf("[%10.3f] [%-10.3f] [%010.3f] [%+.3f] [% .3f]\n", M_PI, M_PI, M_PI, M_PI, M_PI);
  printf("[%E] [%G] [%A] [%F]\n", 1.5e-10, 1.5e-10, 1.5, 1.5);
  printf("[%#.0f] [%#g] [%#.0e] [%#.3g]\n", 3.0, 3.0, 3.0, 3.0);
  printf("[%f] [%5.1f] [%-8f] [%+f] [%F] [%08f]\n", INFINITY, -INFINITY, INFINITY, INFINITY, INFINITY, INFINITY);
  printf("[%f] [%E] [%5g]\n", fabs(NAN), fabs(NAN), fabs(NAN));
  printf("[%.20f] [%.17g] [%.25e]\n", 0.1, 0.1, 0.1);
  printf("[%g] [%g] [%g] [%e]\n", DBL_MAX, DBL_MIN, DBL_TRUE_MIN, FLT_MAX);
  printf("[%.3f] [%.1f] [%.1f] [%.2f]\n", 2.0005, 0.25, 0.35, 1.005);
  printf("[%Lf] [%Le] [%Lg] [%.25Lf]\n", 1.5L, 1e1000L, 0.1L, 0.1L);
  printf("[%La] [%10.2Lf] [%LG]\n", 1.0L, -2.345L, 1e-20L);
  printf("[%*.*f] [%-*.*e]\n", 10, 2, M_E, 15, 3, M_E);
  printf("[%f] [%g]\n", 1.5f, 0.1f);
  printf("[%g] [%g] [%g] [%g] [%g]\n", 100000.0, 1000000.0, 1e-4, 1e-5, 123456.7);
  printf("[%.0f] [%.0f] [%.0f] [%.0f]\n", 0.5, 1.5, 2.5, -0.5);
  printf("[%a] [%a] [%.0a] [%.3a] [%20a]\n", 0x1p-1074, 255.0, 1.5, 1.0 / 3, 2.0);
  printf("[%d %f %d %f %s]\n", 1, 2.0, 3, 4.0, "five");
  return 0;
}
