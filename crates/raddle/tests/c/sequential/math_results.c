// cc: -fno-builtin -lm
/* What the library computes to the last bit. */
#include <math.h>
#include <stdio.h>
int main(void) {
  double x[] = {0.1, -0.7, 1, 2.5, 22};
  for (int i = 0; i < 5; i++) {
    printf("%a %a %a %a %a %a\n", sin(x[i]), cos(x[i]), tan(x[i]), atan(x[i]), atan2(x[i], 3), hypot(x[i], 3));
    printf("%a %a %a %a %a %a\n", sinh(x[i]), cosh(x[i]), tanh(x[i]), exp(x[i]), exp2(x[i]), expm1(x[i]));
    printf("%a %a %a %a\n", log(fabs(x[i])), log2(fabs(x[i])), log10(fabs(x[i])), log1p(fabs(x[i])));
    printf("%a %a\n", pow(fabs(x[i]), 1.3), pow(x[i], 3));
    float f = x[i], g = f / 23;
    printf("%a %a %a %a %a %a\n", sinf(f), cosf(f), tanf(f), asinf(g), acosf(g), atanf(f));
    printf("%a %a %a %a %a\n", expf(f), expm1f(f), logf(f * f), powf(f * f, 0.7f), hypotf(f, 2));
  }
  return 0;
}
