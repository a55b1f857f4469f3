// true
// expect: explore true, oc true, cegar slow, auto true
// A thread that waits for a condition is cancelled while it waits; its handler has the mutex, and releases it.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int handled;
static void release(void *arg) {
  handled++;
  pthread_mutex_unlock(&mutex);
}
static void *waits(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, 0);
  pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, waits, 0);
  assert(pthread_cancel(thread) == 0 || handled);
  pthread_join(thread, &result);
  assert(handled == 1 && (result == PTHREAD_CANCELED || result == 0));
  assert(pthread_mutex_trylock(&mutex) == 0);
  return 0;
}
