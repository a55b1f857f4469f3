// true
// expect: explore true, oc unknown(unsupported), cegar true, auto true
// A thread joins main, which ends by pthread_exit.
#include <assert.h>
#include <pthread.h>
static pthread_t first;
static int x;
static void *waits(void *arg) {
  void *r;
  pthread_join(first, &r);
  assert((long)r == 7 && x == 1);
  return 0;
}
int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, waits, 0);
  x = 1;
  pthread_exit((void *)7);
}
