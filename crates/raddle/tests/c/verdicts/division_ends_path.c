// true
// expect: explore true, oc unknown(unconfirmed), cegar unknown(unconfirmed), auto true
// A division by zero or an invalid access ends the path.
#include <stdlib.h>
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int zero = 0, *null = 0, a[2] = {0};
  if (__VERIFIER_nondet_bool()) {
    a[0] = 5 / zero;
    reach_error();
  } else if (__VERIFIER_nondet_bool()) {
    *null = 1;
    reach_error();
  } else if (__VERIFIER_nondet_bool()) {
    int *p = malloc(sizeof *p);
    free(p);
    *p = 1;
    reach_error();
  }
  return a[0];
}
