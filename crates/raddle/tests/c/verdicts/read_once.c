// true
// expect: explore true, oc true, cegar true, auto true
// Read once into a local, the value does not change any more.
#include <assert.h>
#include <pthread.h>
static int x = 1;
static void *set(void *arg) { x = 2; x = 3; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int copy = x, sum = copy + copy;
  assert(sum % 2 == 0 && copy >= 1 && copy <= 3);
  return 0;
}
