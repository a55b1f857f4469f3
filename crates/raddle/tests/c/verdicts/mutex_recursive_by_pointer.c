// false
// expect: explore false, oc false, cegar false, auto false
// The static recursive mutex is only reached through a pointer.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static void lock(pthread_mutex_t *p) { pthread_mutex_lock(p); }
int main(void) {
  lock(&m);
  lock(&m);
  assert(0);
  return 0;
}
