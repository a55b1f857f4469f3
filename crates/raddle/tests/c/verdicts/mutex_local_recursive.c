// false
// expect: explore false, oc false, cegar false, auto false
// A recursive mutex by initialiser on the stack: the second lock succeeds.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
int main(void) {
  pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  assert(0);
  return 0;
}
