// false
// expect: explore false, oc false, cegar false, auto false
// A recursive mutex on the heap, initialised by assigning the initialiser.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void) {
  pthread_mutex_t *m = malloc(sizeof *m);
  *m = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_lock(m);
  pthread_mutex_lock(m);
  assert(0);
  return 0;
}
