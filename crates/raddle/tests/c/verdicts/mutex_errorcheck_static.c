// false
// expect: explore false, oc false, cegar false, auto false
// With the errorcheck initialiser the second lock does not block.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int main(void) {
  pthread_mutex_lock(&m);
  assert(pthread_mutex_lock(&m) == 0);
  return 0;
}
