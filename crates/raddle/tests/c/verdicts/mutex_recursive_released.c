// false
// expect: explore false, oc false, cegar false, auto false
// After as many unlocks as locks the other thread gets in, between two rounds.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
static int x;
static void *other(void *arg) {
  pthread_mutex_lock(&m);
  assert(x != 1);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&m, &a);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  x = 2;
  pthread_mutex_unlock(&m);
  return 0;
}
