// true
// expect: explore true, oc true, cegar true, auto true
// Nothing happens after an assumption that does not hold.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
static int x;
static void *work(void *arg) {
  __VERIFIER_assume(x == 1);
  assert(x == 1);
  __VERIFIER_assume(0);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  pthread_join(t, 0);
  assert(0);
  return 0;
}
