// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// Cancellation is not modelled: ignoring it would report an end that the thread need not reach.
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
