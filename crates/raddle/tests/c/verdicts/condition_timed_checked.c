// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// A timed wait says whether it timed out; the condition is checked either way.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
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
  struct timespec until = {1000, 0};
  pthread_t t;
  int answer = 0;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  while (!ready && answer == 0) answer = pthread_cond_timedwait(&c, &m, &until);
  assert(ready || answer == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  return 0;
}
