// true
// expect: explore true, oc true, cegar true, auto true
// An errorcheck mutex answers EDEADLK to its owner and EPERM to who does not hold it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *other(void *arg) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  assert(pthread_mutex_init(&m, &a) == 0);
  assert(pthread_mutex_lock(&m) == 0);
  assert(pthread_mutex_lock(&m) == EDEADLK);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  assert(pthread_mutex_unlock(&m) == 0);
  assert(pthread_mutex_unlock(&m) == EPERM);
  return 0;
}
