// false
// expect: explore false, oc false, cegar false, auto false
// The thread ends at a cancellation point.
#include <assert.h>
#include <pthread.h>
static void *runs(void *arg) { for (;;) pthread_testcancel(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, runs, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(0);
  return 0;
}
