// true
// expect: explore true, oc true, cegar true, auto true
// errno belongs to the thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *sets(void *arg) { assert(errno == 0); errno = 5; assert(errno == 5); return 0; }
int main(void) {
  pthread_t t;
  errno = 3;
  pthread_create(&t, 0, sets, 0);
  assert(errno == 3);
  pthread_join(t, 0);
  assert(errno == 3);
  return 0;
}
