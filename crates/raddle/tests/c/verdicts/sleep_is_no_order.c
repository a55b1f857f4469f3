// false
// expect: explore false, oc false, cegar false, auto false
// Sleeping does not order anything.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int x;
static void *set(void *arg) { x = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  sleep(1);
  usleep(1000);
  assert(x == 1);
  return 0;
}
