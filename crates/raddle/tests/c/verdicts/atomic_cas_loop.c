// true
// expect: explore true, oc unknown(bound-reached), cegar slow, auto true
// A compare-and-exchange loop loses nothing; on failure it learns the new value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a = 1;
static void *twice(void *arg) {
  int old = atomic_load(&a);
  while (!atomic_compare_exchange_strong(&a, &old, old * 2)) ;
  return 0;
}
static void *plus(void *arg) {
  int old = atomic_load_explicit(&a, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&a, &old, old + 3, memory_order_acq_rel, memory_order_relaxed)) ;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, twice, 0);
  pthread_create(&u, 0, plus, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 5 || a == 8);
  return 0;
}
