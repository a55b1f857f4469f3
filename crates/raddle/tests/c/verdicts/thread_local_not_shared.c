// false
// expect: explore false, oc false, cegar false, auto false
// What a thread writes to its copy does not arrive in main's.
#include <assert.h>
#include <pthread.h>
static __thread int x;
static void *work(void *arg) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(x == 1);
  return 0;
}
