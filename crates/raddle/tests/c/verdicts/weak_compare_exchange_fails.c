// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// It fails without a reason as often as it likes, and changes nothing then; the strong one does not fail.
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void)
{
  int expected = 0;
  int done = atomic_compare_exchange_weak(&x, &expected, 1);
  assert(expected == 0);
  assert(x == done);
  expected = done;
  assert(atomic_compare_exchange_strong(&x, &expected, 2));
}
