// true
// expect: explore true, oc true, cegar true, auto true
// A recursive mutex must be unlocked as often as it was locked before another thread gets it.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *other(void *arg) {
  pthread_mutex_lock(&m);
  assert(x == 0 || x == 2);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_mutexattr_destroy(&a);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
