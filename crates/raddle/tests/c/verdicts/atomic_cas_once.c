// false
// expect: explore false, oc false, cegar false, auto false
// A compare-and-exchange that is not repeated may fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a;
static void *inc(void *arg) {
  int old = a;
  atomic_compare_exchange_strong(&a, &old, old + 1);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 2);
  return 0;
}
