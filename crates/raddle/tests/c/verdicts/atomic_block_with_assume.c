// true
// expect: explore true, oc true, cegar true, auto true
// A lock made of an atomic block with an assumption: paths on which it is taken are left out.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
static int m, x;
static void __VERIFIER_atomic_acquire(void) {
  __VERIFIER_assume(m == 0);
  m = 1;
}
static void *work(void *arg) {
  __VERIFIER_atomic_acquire();
  int old = x;
  x = old + 1;
  assert(x == old + 1);
  m = 0;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
