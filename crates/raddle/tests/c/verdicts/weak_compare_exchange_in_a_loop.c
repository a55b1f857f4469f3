// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// expect:
// Two threads count, and try again where the exchange fails, for whatever reason.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *run(void *unused)
{
  int old = x;
  while (!atomic_compare_exchange_weak(&x, &old, old + 1))
    ;
  return 0;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  run(0);
  pthread_join(t, 0);
  assert(x == 2);
}
