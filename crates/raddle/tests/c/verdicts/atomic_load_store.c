// false
// expect: explore false, oc false, cegar false, auto false
// atomic_load and atomic_store around an addition lose updates.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a;
static void *work(void *arg) { atomic_store(&a, atomic_load(&a) + 1); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(atomic_load(&a) == 2);
  return 0;
}
