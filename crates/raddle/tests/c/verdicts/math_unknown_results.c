// true
// All of this holds of the library's results, and no bound says so.
#include <assert.h>
#include <complex.h>
#include <math.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  switch (__VERIFIER_nondet_uchar()) {
  case 0:
    assert(sin(1) > 0.8);
    break;
  case 1:
    assert(erf(1) > 0.8);
    break;
  case 2:
    assert(sinl(1) > 0.8L);
    break;
  case 3:
    assert(creal(csin(1)) < 1);
    break;
  }
  return 0;
}
