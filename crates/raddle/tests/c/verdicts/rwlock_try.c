// true
// expect: explore true, oc true, cegar true, auto true
// The try forms answer EBUSY where the others would wait; two read locks need two unlocks.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static void *other(void *arg) {
  assert(pthread_rwlock_trywrlock(&l) == EBUSY);
  assert(pthread_rwlock_tryrdlock(&l) == 0);
  pthread_rwlock_unlock(&l);
  return 0;
}
static void *blocked(void *arg) {
  assert(pthread_rwlock_tryrdlock(&l) == EBUSY && pthread_rwlock_trywrlock(&l) == EBUSY);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_rwlock_rdlock(&l);
  assert(pthread_rwlock_tryrdlock(&l) == 0);
  pthread_rwlock_unlock(&l);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  pthread_rwlock_unlock(&l);
  assert(pthread_rwlock_trywrlock(&l) == 0);
  pthread_create(&t, 0, blocked, 0);
  pthread_join(t, 0);
  pthread_rwlock_unlock(&l);
  return 0;
}
