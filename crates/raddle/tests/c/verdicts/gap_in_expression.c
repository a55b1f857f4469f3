// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// Only the operand that is evaluated counts.
#include <assert.h>
#include <unistd.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
  int n = __VERIFIER_nondet_int();
  int m = n > 0 && n < 0 ? fork() : 4;
  if (n != n || (n == 3 && n == 4 && fork()))
    m = 5;
  assert(m == 4);
}
