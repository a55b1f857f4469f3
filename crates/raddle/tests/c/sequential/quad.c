// `_Float128` is IEEE's binary128: operators, conversions from and to all other numbers, classification.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void show(const char *text, _Float128 x) {
  unsigned long long parts[2];
  memcpy(parts, &x, sizeof x);
  printf("%s = %016llx%016llx\n", text, parts[1], parts[0]);
}
#define SHOW(e) show(#e, e)

static __float128 third = 1.0Q / 3, list[2] = {0.1F128, -0.0Q};
struct box { char tag; _Float128 x; } box = {'x', 1e4000Q};

static _Float128 horner(_Float128 x, const double *factors, int n) {
  _Float128 sum = 0;
  while (n-- > 0) sum = sum * x + factors[n];
  return sum;
}
static _Float128 last(int n, ...) {
  va_list list;
  _Float128 x = 0;
  va_start(list, n);
  while (n-- > 0) x = va_arg(list, _Float128);
  va_end(list);
  return x;
}

int main(void) {
  double factors[] = {1, 0.5, -0.25, 1e-30};
  float f = 0.1f;
  double d = 0.1;
  long double l = 0.1L;
  long long n = -123456789012345678;
  unsigned __int128 wide = (unsigned __int128)-1 / 3;
  _Float128 x = third, big = box.x * box.x, nan = big - big;
  SHOW(third); SHOW(list[0]); SHOW(list[1]); SHOW(box.x); SHOW(x + 1); SHOW(x - d); SHOW(x * l); SHOW(x / 7); SHOW(-x);
  SHOW(f); SHOW(d); SHOW(l); SHOW(n); SHOW(wide); SHOW(big); SHOW(1 / big); SHOW(horner(x, factors, 4)); SHOW(last(2, x, x + 2));
  SHOW(6.475175119438025110924438958227646552e-4966Q); SHOW(x++); SHOW(--x); SHOW(x += d); SHOW(x *= 3);
  printf("%a %a %.20Lg %lld %d %d\n", (double)x, (float)list[0], (long double)list[0], (long long)(third * 1e15Q), (int)-x, (_Bool)x);
  printf("%d %d %d %d %d\n", x < d, x > 1, x == x, nan == nan, nan != nan);
  printf("%d %d %d %d\n", !!isnan(nan), !!isinf(big), !!signbit(list[1]), !!isfinite(x));
  printf("%d %d %d\n", (int)sizeof x, (int)_Alignof(struct box), _Generic(x * l, _Float128: 1, default: 2));
  return 0;
}
