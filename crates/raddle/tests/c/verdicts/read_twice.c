// false
// expect: explore false, oc false, cegar false, auto false
// x + x reads x twice, and it may change in between.
#include <assert.h>
#include <pthread.h>
static int x = 1;
static void *set(void *arg) { x = 2; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int sum = x + x;
  assert(sum % 2 == 0);
  return 0;
}
