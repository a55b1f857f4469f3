// false
// expect: explore false, oc unknown(unsupported), cegar false, auto false
// Main ends by pthread_exit, and a thread that joins it goes on.
#include <assert.h>
#include <pthread.h>
static pthread_t first;
static int x;
static void *waits(void *arg) {
  pthread_join(first, 0);
  assert(x == 0);
  return 0;
}
int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, waits, 0);
  x = 1;
  pthread_exit(0);
}
