// false
// expect: explore false, oc false, cegar false, auto false
// A detached thread runs like any other.
#include <assert.h>
#include <pthread.h>
static int x;
static void *runs(void *arg) { pthread_detach(pthread_self()); x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, runs, 0);
  assert(x == 0);
  return 0;
}
