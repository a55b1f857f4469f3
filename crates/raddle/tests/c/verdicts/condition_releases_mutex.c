// false
// expect: explore false, oc false, cegar false, auto false
// While it waits, the waiter does not hold the mutex; so the other thread gets it, and the waiter goes on.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, ready;
static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  waiting = 1;
  while (!ready) pthread_cond_wait(&c, &m);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waits, 0);
  pthread_mutex_lock(&m);
  if (waiting) ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
