// true
// expect: explore true, oc true, cegar true, auto true
// A pointer to one thread's copy reaches that copy from every thread.
#include <assert.h>
#include <pthread.h>
static __thread int x = 1;
static int *shared;
static void *work(void *arg) {
  assert(&x != shared && *shared == 5);
  *shared = 7;
  assert(x == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  shared = &x;
  x = 5;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(x == 7);
  return 0;
}
