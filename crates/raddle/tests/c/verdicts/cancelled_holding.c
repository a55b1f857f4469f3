// false
// expect: explore false, oc false, cegar false, auto false
// Without a handler, a thread that is cancelled at its wait keeps the mutex.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static void *waits(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&never, &mutex);
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, waits, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(pthread_mutex_trylock(&mutex) == 0);
  return 0;
}
