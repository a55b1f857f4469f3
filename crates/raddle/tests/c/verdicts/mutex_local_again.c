// false
// expect: explore false, oc false, cegar false, auto false
// A mutex on the stack is a new one in each round.
#include <assert.h>
#include <pthread.h>
static void once(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
}
int main(void) {
  once();
  once();
  for (int i = 0; i < 2; i++) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
  }
  assert(0);
  return 0;
}
