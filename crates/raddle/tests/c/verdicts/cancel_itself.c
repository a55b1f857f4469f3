// true
// expect: explore true, oc true, cegar slow, auto true
// A thread that cancels itself goes on to the next point; its handler runs once, although it calls a point.
#include <assert.h>
#include <pthread.h>
static int runs, reached;
static void counts(void *arg) {
  runs++;
  pthread_testcancel();
}
static void *ends(void *arg) {
  pthread_cleanup_push(counts, 0);
  assert(pthread_cancel(pthread_self()) == 0);
  reached = 1;
  pthread_testcancel();
  reached = 2;
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, ends, 0);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && runs == 1 && reached == 1);
  return 0;
}
