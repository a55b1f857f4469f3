// false
// expect: explore false, oc false, cegar false, auto false
// Two atomic operations are not one.
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *arg) {
  int old = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
  __atomic_store_n(&x, old + 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 2);
  return 0;
}
