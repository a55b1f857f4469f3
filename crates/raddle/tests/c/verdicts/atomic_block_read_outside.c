// false
// expect: explore false, oc false, cegar false, auto false
// The reader is not atomic: it reads x before and y after the block.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y;
static void *work(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  int a = x, b = y;
  assert(a == b);
  return 0;
}
