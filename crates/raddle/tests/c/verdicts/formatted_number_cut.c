// false
// expect: explore false, oc unknown(bound-reached), cegar slow, auto false
// expect:
// What does not fit is counted and not written.
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[4] = "xyz";
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 20000) return 0;
  int n = snprintf(text, 3, "%d", x);
  assert(text[2] == 0 || text[3] == 0);
  assert(n < 5);
  return 0;
}
