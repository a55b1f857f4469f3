// true
// expect: explore true, oc true, cegar true, auto true
// Between __VERIFIER_atomic_begin and end no other thread steps, also across calls and loops.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x, y;
static void add(int *p, int n) { while (n--) ++*p; }
static void *work(void *arg) {
  __VERIFIER_atomic_begin();
  add(&x, 2);
  add(&y, 2);
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  __VERIFIER_atomic_begin();
  assert(x == y && x % 2 == 0);
  __VERIFIER_atomic_end();
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 4);
  return 0;
}
