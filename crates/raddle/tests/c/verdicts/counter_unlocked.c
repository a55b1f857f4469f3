// false
// expect: explore false, oc false, cegar false, auto false
// x++ is a read and a write: an update may be lost.
#include <assert.h>
#include <pthread.h>
static int x;
static void *inc(void *arg) { x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
