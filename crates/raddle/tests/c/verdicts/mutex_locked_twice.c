// true
// expect: explore true, oc true, cegar true, auto true
// A normal mutex locked twice by one thread blocks it for ever.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  assert(0);
  return 0;
}
