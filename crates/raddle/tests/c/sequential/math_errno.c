// Functions of <math.h> that are operators set errno where a program can see it.
#include <errno.h>
#include <math.h>
#include <stdio.h>
static void show(long double x) {
  printf(" %Lg e%d", x != x ? 0 : x, errno);
  errno = 0;
}
int main(void) {
  double v[] = {0, -0.0, 1, -1, 1e308, -1e308, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) {
      double x = v[i], y = v[j];
      show(sqrt(x)), show(sqrtf(x)), show(sqrtl(x));
      show(fmod(x, y)), show(fmodf(x, y)), show(fmodl(x, y));
      show(fdim(x, y)), show(fdimf(x, y)), show(fdiml(x, y)), puts("");
    }
  return 0;
}
