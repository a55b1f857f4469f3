// false
// expect: explore false, oc false, cegar slow, auto false
// A thread that reaches no point runs to its end, and cannot be told from one that was not asked.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *runs(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, runs, (void *)3);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result != (void *)3);
  return 0;
}
