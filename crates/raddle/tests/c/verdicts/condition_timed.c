// false
// expect: explore false, oc false, cegar false, auto false
// A timed wait may time out.
#include <assert.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec until = {1000, 0};
  pthread_mutex_lock(&m);
  int answer = pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
  assert(answer == 0);
  return 0;
}
