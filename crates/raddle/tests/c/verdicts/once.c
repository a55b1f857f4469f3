// true
// expect: explore true, oc true, cegar true, auto true
// pthread_once runs its function once, and returns to everybody after it is done.
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs, ready;
static void setup(void) { runs++; ready = 7; }
static void *work(void *arg) {
  pthread_once(&once, setup);
  assert(ready == 7);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_once(&once, setup);
  assert(runs == 1);
  return 0;
}
