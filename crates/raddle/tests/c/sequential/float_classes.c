// Classification and comparison macros of <math.h>, and the builtins behind them.
#include <stdio.h>
#include <math.h>
#include <float.h>
static void classify(double d) {
  int class = fpclassify(d);
  printf("%d%d%d%d%d ", class == FP_NAN, class == FP_INFINITE, class == FP_ZERO, class == FP_SUBNORMAL, class == FP_NORMAL);
  printf("%d%d%d%d%d\n", !!isnan(d), isinf(d) ? isinf(d) > 0 ? 1 : 2 : 0, !!isfinite(d), !!isnormal(d), !!signbit(d));
}
int main(void) {
  double values[] = {0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, NAN, DBL_MIN, DBL_MIN / 4, -DBL_MAX};
  for (int i = 0; i < 10; i++) classify(values[i]);
  float f = FLT_MIN / 8;
  long double l = LDBL_MAX;
  printf("%d %d %d\n", fpclassify(f) == FP_SUBNORMAL, !!isnormal(l), !!isinf(l * 2));
  printf("%d %d %d\n", !!isgreater(2.0, 1.0), !!isless(NAN, 1.0), !!isunordered(NAN, 1.0));
  printf("%d %d %d\n", !!islessgreater(1.0, 1.0), !!isgreaterequal(1.0f, 1.0), !!islessequal(3, 2.5));
  printf("%d %d\n", __builtin_isinf_sign(-INFINITY), __builtin_isinf_sign(1.0));
  printf("%d %d %d\n", HUGE_VAL == INFINITY, isnan(__builtin_nan("")) != 0, __builtin_inff() > FLT_MAX);
  printf("%d %d %d\n", __builtin_signbit(-0.0) != 0, __builtin_isfinite(1.0) != 0, __builtin_isnormal(0.0) != 0);
  printf("%g %g %Lg\n", DBL_EPSILON, (double)FLT_EPSILON, LDBL_EPSILON);
  printf("%d %d %d\n", FLT_DIG, DBL_MANT_DIG, FLT_EVAL_METHOD);
  return !!signbit(copysign(NAN, -1.0));
}
