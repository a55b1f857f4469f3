// true
// expect: explore true, oc true, cegar true, auto true
// Whether an exchange is weak may be known at run time only.
#include <assert.h>
static _Bool exchange(int *p, int *expected, int wanted, _Bool weak)
{
  return __atomic_compare_exchange_n(p, expected, wanted, weak, 5, 5);
}
int x;
int main(void)
{
  int expected = 0;
  assert(exchange(&x, &expected, 1, 0));
  expected = 1;
  assert(exchange(&x, &expected, 2, 1) ? x == 2 : x == 1);
}
