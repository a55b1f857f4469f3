// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// Exact functions of <math.h> on any number.
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
extern float __VERIFIER_nondet_float(void);
int main(void) {
  float x = __VERIFIER_nondet_float(), whole, part;
  int e;
  if (!isfinite(x))
    return 0;
  float m = frexpf(x, &e);
  assert(x == 0 || fabsf(m) >= 0.5f && fabsf(m) < 1 && e > -149 && e <= 128);
  part = modff(x, &whole);
  assert(fabsf(part) < 1 && fabsf(whole) <= fabsf(x));
  assert(nextafterf(x, INFINITY) > x && nextupf(x) > x);
  return 0;
}
