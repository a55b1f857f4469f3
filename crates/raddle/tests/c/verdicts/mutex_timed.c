// false
// expect: explore false, oc false, cegar false, auto false
// A timed lock may time out.
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *holds(void *arg) { pthread_mutex_lock(&m); for (;;) ; return 0; }
int main(void) {
  pthread_t t;
  struct timespec until = {5, 0};
  pthread_create(&t, 0, holds, 0);
  if (pthread_mutex_timedlock(&m, &until) != 0) assert(0);
  return 0;
}
