// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// Errors of <math.h> are in errno.
#include <assert.h>
#include <errno.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
  double x = __VERIFIER_nondet_double();
  if (!(x < 0))
    return 0;
  errno = 0;
  double r = log(x);
  assert(isnan(r) && errno == EDOM);
  errno = 0;
  r = exp(1000 - x);
  assert(isinf(r) && (errno == ERANGE || isinf(x)));
  return 0;
}
