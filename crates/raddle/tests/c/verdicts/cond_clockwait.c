// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// Waiting releases the mutex, whichever clock it goes by.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;
void *run(void *unused) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
int main(void)
{
  pthread_t t;
  struct timespec until = {0, 0};
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, run, 0);
  pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until);
  assert(x == 0);
  pthread_mutex_unlock(&m);
}
