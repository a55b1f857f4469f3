// false
// expect: explore false, oc false, cegar false, auto false
// `a = a + 1` on an atomic object is an atomic read and an atomic write, but not one step.
#include <assert.h>
#include <pthread.h>
static _Atomic int a;
static void *work(void *arg) { a = a + 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 2);
  return 0;
}
