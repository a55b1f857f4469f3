// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// A spin lock made of an atomic_flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int inside;
static void *visit(void *arg) {
  while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) ;
  assert(inside == 0);
  inside = 1;
  inside = 0;
  atomic_flag_clear_explicit(&flag, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, visit, 0);
  pthread_create(&u, 0, visit, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(!atomic_flag_test_and_set(&flag) && atomic_flag_test_and_set(&flag));
  return 0;
}
