// true
// expect: explore slow, oc true, cegar slow, auto true
// The same seed gives the same numbers again, and clocks of their own never go back.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static void *draw(void *arg) {
  struct timespec *then = arg, now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  assert(now.tv_sec >= then->tv_sec);
  return 0;
}
int main(void) {
  struct timespec then;
  pthread_t t;
  int first = rand(), second = rand();
  srand(7);
  int other = rand();
  srand(1);
  assert(rand() == first && rand() == second);
  srand(7);
  assert(rand() == other);
  clock_gettime(CLOCK_MONOTONIC, &then);
  pthread_create(&t, 0, draw, &then);
  pthread_join(t, 0);
  return 0;
}
