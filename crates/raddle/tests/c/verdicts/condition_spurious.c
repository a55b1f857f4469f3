// false
// expect: explore false, oc false, cegar false, auto false
// A wait may end without any signal.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *set(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, set, 0);
  pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return 0;
}
