// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// The sign of gamma is in a variable that the library shares with the program.
#include <assert.h>
#include <math.h>
int main(void) {
  lgamma(-0.5);
  assert(signgam == -1);
  lgamma(0.5);
  assert(signgam == 1);
  return 0;
}
