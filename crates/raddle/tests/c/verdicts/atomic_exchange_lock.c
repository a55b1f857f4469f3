// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// A spin lock made of atomic_exchange.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_bool locked;
static int x;
static void *inc(void *arg) {
  while (atomic_exchange(&locked, 1)) ;
  x++;
  atomic_store(&locked, 0);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, inc, 0);
  pthread_create(&u, 0, inc, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
