// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// A thread that never ends does not keep main from ending.
#include <assert.h>
#include <pthread.h>
static volatile int stop, x;
static void *runs(void *arg) { while (!stop) x = !x; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, runs, 0);
  int seen = x;
  assert(seen == 0 || seen == 1);
  return 0;
}
