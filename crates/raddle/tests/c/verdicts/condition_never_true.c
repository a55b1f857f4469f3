// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// Signals without the condition do not get the waiter past its loop.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;
static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_cond_init(&c, 0);
  pthread_create(&t, 0, waits, 0);
  pthread_cond_signal(&c);
  pthread_cond_broadcast(&c);
  pthread_join(t, 0);
  return 0;
}
