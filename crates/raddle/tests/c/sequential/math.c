// Exact functions of <math.h> on double, float and long double.
#include <stdio.h>
#include <math.h>
int main(void) {
  double v[] = {2.5, -2.5, 3.5, 0.5, -0.4, 1e15 + 0.5, -0.0, 7, 0.49999999999999994};
  for (int i = 0; i < 9; i++) {
    double d = v[i];
    printf("%g %g %g %g %g %g %g | ", fabs(d), floor(d), ceil(d), trunc(d), round(d), rint(d), nearbyint(d));
    printf("%ld %ld %lld %lld\n", lrint(d), lround(d), llrint(d), llround(d));
  }
  printf("%.17g %.17g %g\n", sqrt(2), sqrt(1e-300), sqrt(16));
  printf("%g %g %g %.17g\n", fmod(7.5, 2), fmod(-7.5, 2), fmod(7.5, -2), fmod(1e17, 3.3));
  printf("%g %g %g %g\n", fmin(1, 2), fmax(1, 2), fmin(NAN, 3), fmax(3, NAN));
  printf("%g %g %g\n", copysign(3, -1), copysign(-3, 0.0), copysign(2, -0.0));
  printf("%g %g\n", fdim(5, 3), fdim(3, 5));
  printf("%.9g %.9g %g %g\n", sqrtf(2.0f), fabsf(-1.1f), floorf(-1.5f), ceilf(1.5f));
  printf("%.21Lg %Lg %Lg\n", sqrtl(2.0L), floorl(-1.5L), fabsl(-3.25L));
  printf("%g %g %g\n", truncf(-1.9f), roundf(2.5f), fmodf(5.5f, 2.0f));
  printf("%g %g %d\n", fmaxf(1.5f, 2), fminf(-1, -2), isnan(sqrt(-1)) != 0);
  printf("%g %g\n", floor(INFINITY), trunc(-INFINITY));
  printf("%ld %ld\n", lrintf(2.5f), lroundl(-2.5L));
  printf("%d %d\n", signbit(round(-0.3)) != 0, signbit(ceil(-0.3)) != 0);
  double whole;
  printf("%g ", modf(3.75, &whole));
  printf("%g\n", whole);
  return (int)(sqrt(99) + floor(2.7));
}
