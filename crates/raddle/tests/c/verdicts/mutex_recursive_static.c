// false
// expect: explore false, oc false, cegar false, auto false
// The static initialiser of GNU says that the mutex is recursive: the second lock succeeds.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  assert(0);
  return 0;
}
