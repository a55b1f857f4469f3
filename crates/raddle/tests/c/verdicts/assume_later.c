// false
// expect: explore false, oc false, cegar false, auto false
// What happened before the failed assumption was seen by the other thread.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
static int x;
static void *work(void *arg) {
  x = 1;
  __VERIFIER_assume(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(x == 0);
  return 0;
}
