// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// What holds for functions of <math.h> whatever their last bits are.
#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x))
    return 0;
  assert(!(fabs(sin(x)) > 1) && !(cos(x) > 1) && (isfinite(x) || isnan(cos(x))));
  assert(exp(x) >= 0 && (x < 0 || exp(x) >= 1) && cosh(x) >= 1 && fabs(tanh(x)) <= 1);
  assert(fabs(atan(x)) < 1.6 && (x >= 0 ? atan(x) >= 0 : atan(x) <= 0));
  assert(x < 0 ? isnan(log(x)) : x <= 1 || log(x) >= 0);
  assert(pow(x, 0) == 1 && pow(1, x) == 1 && erfc(x) <= 2);
  float y = __VERIFIER_nondet_float();
  if (isnan(y))
    return 0;
  assert(expf(y) >= 0 && fabsf(atan2f(y, 1)) < 1.6f && hypotf(y, 0) == fabsf(y));
  return 0;
}
