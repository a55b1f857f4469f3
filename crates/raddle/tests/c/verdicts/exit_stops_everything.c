// true
// expect: explore true, oc true, cegar true, auto true
// exit in a thread ends all threads at once.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *quits(void *arg) {
  exit(0);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, quits, 0);
  pthread_join(t, 0);
  assert(0);
  return 0;
}
