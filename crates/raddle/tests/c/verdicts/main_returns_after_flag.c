// true
// expect: explore true, oc true, cegar true, auto true
// Whatever the thread sees, it sees the writes of main in order.
#include <assert.h>
#include <pthread.h>
static volatile int x, done;
static void *acts(void *arg) {
  if (done) assert(x);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, acts, 0);
  x = 1;
  done = 1;
  return 0;
}
