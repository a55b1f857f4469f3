// false
// expect: explore false, oc false, cegar false, auto false
// Writing under a read lock loses updates.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l;
static int x;
static void *inc(void *arg) {
  pthread_rwlock_rdlock(&l);
  x++;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_rwlock_init(&l, 0);
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  pthread_rwlock_destroy(&l);
  return 0;
}
