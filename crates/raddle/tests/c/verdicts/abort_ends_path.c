// true
// expect: explore true, oc true, cegar true, auto true
// abort and a failed condition before the error end the path without a violation.
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static void assume_abort_if_not(int cond) { if (!cond) abort(); }
int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  assume_abort_if_not(c < 5);
  if (c == 3) abort();
  if (c == 3 || c >= 5) reach_error();
  return 0;
}
