// true
// expect: explore true, oc true, cegar true, auto true
// A reader that wants to write as well blocks for ever.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_rdlock(&l);
  if (pthread_rwlock_wrlock(&l) == 0) assert(0);
  return 0;
}
