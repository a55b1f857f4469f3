// false
// expect: explore false, oc false, cegar false, auto false
// A thread that is not waited for may still act before main returns.
#include <assert.h>
#include <pthread.h>
static int x, done;
static void *acts(void *arg) {
  if (x) assert(done);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, acts, 0);
  x = 1;
  done = 1;
  return 0;
}
