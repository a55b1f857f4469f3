// true
// expect: explore true, oc true, cegar true, auto true
// A whole thread may be atomic.
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *__VERIFIER_atomic_thread(void *arg) { x++; y++; x++; y++; return 0; }
static void *check(void *arg) { int a = x; assert(a % 2 == 0); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, __VERIFIER_atomic_thread, 0);
  pthread_create(&u, 0, check, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2 && y == 2);
  return 0;
}
