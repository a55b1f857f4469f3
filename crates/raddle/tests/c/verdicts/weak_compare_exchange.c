// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// A weak compare-and-exchange may fail where the values are equal.
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void)
{
  int expected = 0;
  assert(atomic_compare_exchange_weak(&x, &expected, 1));
}
