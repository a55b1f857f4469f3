// false
// expect: explore false, oc false, cegar false, auto false
// Only one of two threads is joined before their effects are checked.
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *first(void *arg) { x = 1; return 0; }
static void *second(void *arg) { y = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  assert(x == 1);
  assert(y == 1);
  return 0;
}
