// true
// expect: explore true, oc true, cegar true, auto true
// A thread that is joined before the next is started shares nothing with it at the same time.
#include <assert.h>
#include <pthread.h>
static int x;
static void *inc(void *arg) { x = x + 1; return 0; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_t t;
    pthread_create(&t, 0, inc, 0);
    pthread_join(t, 0);
    assert(x == i + 1);
  }
  return 0;
}
