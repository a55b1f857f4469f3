// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto slow
// Cancellation at any time has no model; a request that is there when it is allowed is acted upon at once.
#include <assert.h>
#include <pthread.h>
static int x;
static void *runs(void *arg) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  x = 1;
  x = 2;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, runs, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(x == 0 || x == 2);
  return 0;
}
