// true
// expect: explore true, oc true, cegar true, auto true
// Destroyed and initialised again, a mutex is free again and may change its kind.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  assert(pthread_mutex_trylock(&m) == 0);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_destroy(&m);
  pthread_mutex_init(&m, 0);
  assert(pthread_mutex_trylock(&m) == 0);
  assert(pthread_mutex_trylock(&m) != 0);
  pthread_mutex_unlock(&m);
  assert(pthread_mutex_lock(&m) == 0);
  return 0;
}
