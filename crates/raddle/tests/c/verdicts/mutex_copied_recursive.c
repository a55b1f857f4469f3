// false
// expect: explore false, oc false, cegar false, auto false
// A mutex that is copied from a recursive initialiser is recursive.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static const pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t assigned;
int main(void) {
  pthread_mutex_t initialised = recursive;
  assigned = recursive;
  pthread_mutex_lock(&initialised);
  pthread_mutex_lock(&initialised);
  pthread_mutex_lock(&assigned);
  pthread_mutex_lock(&assigned);
  assert(0);
  return 0;
}
