// Complex numbers: operators with complex and real operands, conversions, and every way to pass one around.
#include <complex.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void show(const char *text, double _Complex z) {
  double parts[2];
  memcpy(parts, &z, sizeof z);
  printf("%s = %a %a\n", text, parts[0], parts[1]);
}
#define SHOW(e) show(#e, e)

static double _Complex global = 1.5 + 2.5 * I, array[2] = {1.0, 3.0 * I};
struct wave { char tag; double _Complex z; float _Complex f; } wave = {'a', 2.0 + I, 4.0f * I};

static double _Complex product(double _Complex a, float _Complex b) { return a * b; }
static double _Complex old_style(a, x) double _Complex a; int x; { return a + x; }
double _Complex later();
static double _Complex sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double _Complex result = 0;
  for (int i = 0; i < n; i++) result += va_arg(list, double _Complex);
  float _Complex last = va_arg(list, float _Complex);
  va_end(list);
  return result + last;
}

static void operators(double _Complex a, double _Complex b, float _Complex c, long double _Complex l) {
  SHOW(a + b); SHOW(a - b); SHOW(a * b); SHOW(a / b); SHOW(a * c); SHOW(a / c); SHOW(c * c); SHOW(c / (float _Complex)b);
  SHOW(-a); SHOW(~a); SHOW(2 * a); SHOW(a * 2); SHOW(a / 3); SHOW(3 / a); SHOW(1 - a); SHOW(a - 1); SHOW(1 + a);
  SHOW(l * l); SHOW(l / a); SHOW(I * I); SHOW((1 + 2 * I) * (3 - I)); SHOW(a ? a : 1.0f); SHOW(a ?: b);
  printf("%d %d %d %d %d %d\n", a == b, a != b, a == 3 + 4 * I, a == 3, !a, a && b);
  if (a) printf("not zero\n");
}

static void objects(double _Complex a, double _Complex b, float _Complex c) {
  double _Complex z = 0, *p = &z;
  printf("%d\n", z ? 1 : 0);
  __real__ z = 5; __imag__ *p = 6; SHOW(z);
  z += 1; z *= a; SHOW(z);
  z /= b; SHOW(z);
  z++; SHOW(z--); SHOW(++z); SHOW(p[0] * *p);
  double d = 2;
  d += a; d *= a;
  int i = a;
  printf("%a %d %d %a %a\n", d, i, (_Bool)a, __imag__ d, __real__ d);
  int _Complex n = 3 + 4i, m = 1 + 2i;
  n *= m; printf("%d %d\n", __real__ n, __imag__ n);
  n /= m; printf("%d %d\n", __real__ n, __imag__ n);
  double _Complex v[3] = {[1] = 2 + I};
  for (int k = 0; k < 3; k++) SHOW(v[k]);
  SHOW(global); SHOW(array[0]); SHOW(array[1]); SHOW(wave.z); SHOW(wave.f);
  SHOW(product(a, c)); SHOW(old_style(a, 3)); SHOW(later(a, 2.5)); SHOW(sum(2, a, b, c));
  SHOW((double _Complex){1}); SHOW(({ double _Complex t = a; t * t; }));
}

int main(void) {
  double _Complex a = 3 + 4 * I, b = 1 - 2 * I;
  float _Complex c = 0.1f + 0.3f * I;
  double infinite = __builtin_inf(), nan = infinite - infinite;
  operators(a, b, c, 1.0L / 3);
  objects(a, b, c);
  // An infinite operand is a direction, even beside a NaN.
  double _Complex far = CMPLX(infinite, nan);
  printf("%d %d\n", isinf(creal(far * a)) != 0, isinf(cimag(a / CMPLX(0.0, 0.0))) != 0);
  SHOW(a / CMPLX(infinite, 1.0)); SHOW(CMPLX(1.0, -0.0)); SHOW(conj(b)); SHOW(cproj(far)); SHOW(cexp(0));
  printf("%a %a\n", creal(a), cimag(a));
  printf("%d %d %d\n", (int)sizeof a, (int)sizeof c, (int)_Alignof(double _Complex));
  printf("%d\n", _Generic(a * c, double _Complex: 1, float _Complex: 2, default: 3));
  return 0;
}

double _Complex later(a, d) double _Complex a; double d; { return a * d; }
