// false
// expect: explore false, oc false, cegar false, auto false
// pthread_exit ends main alone: the other thread runs on.
#include <assert.h>
#include <pthread.h>
static int x;
static void *later(void *arg) {
  while (x != 1) ;
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, later, 0);
  x = 1;
  pthread_exit(0);
}
