// false
// A counterexample has the results of <math.h> that the library gives: of these numbers only 8 has a sine of more than 0.98.
#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 1 || x > 9)
    return 0;
  assert(sin(x) < 0.98);
  return 0;
}
