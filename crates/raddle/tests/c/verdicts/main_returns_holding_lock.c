// true
// expect: explore true, oc true, cegar true, auto true
// When main returns, the thread that waits for main's mutex ends with the program.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, waits, 0);
  return 0;
}
