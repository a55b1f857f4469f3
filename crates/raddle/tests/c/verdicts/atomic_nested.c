// true
// expect: explore true, oc true, cegar true, auto true
// Atomic blocks nest, and may be left by an early return of the function that ends them.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y, busy;
static void __VERIFIER_atomic_add(int n) { x += n; y += n; }
static int take(void) {
  __VERIFIER_atomic_begin();
  if (busy) {
    __VERIFIER_atomic_end();
    return 0;
  }
  __VERIFIER_atomic_add(1);
  __VERIFIER_atomic_add(1);
  busy = 1;
  assert(x == y && x == 2);
  __VERIFIER_atomic_end();
  return 1;
}
static void *work(void *arg) { return (void *)(long)take(); }
int main(void) {
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, &a);
  pthread_join(u, &b);
  assert((long)a + (long)b == 1 && x == 2);
  return 0;
}
