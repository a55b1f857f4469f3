// false
// expect: explore false, oc false, cegar false, auto false
// Two readers may hold the lock at once.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static _Atomic int inside;
static void *read(void *arg) {
  pthread_rwlock_rdlock(&l);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, read, 0);
  pthread_create(&b, 0, read, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
