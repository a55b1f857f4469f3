// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// A function that is declared not to return does not, defined or not.
#include <err.h>
#include <signal.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
_Noreturn void give_up(void);
__attribute__((noreturn)) void fail(int);
int main(void)
{
  switch (__VERIFIER_nondet_int()) {
  case 0: give_up(); reach_error();
  case 1: fail(1); reach_error();
  case 2: err(1, "no"); reach_error();
  case 3: errx(2, "no"); reach_error();
  case 4: raise(SIGABRT); reach_error();
  }
  if (raise(SIGCHLD)) reach_error();
}
