// true
// expect: explore true, oc true, cegar true, auto true
// What a thread wrote is there after it was joined.
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *first(void *arg) { x = 1; x = x + 1; return 0; }
static void *second(void *arg) { y = 5; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  assert(x == 2);
  pthread_join(b, 0);
  assert(x + y == 7);
  return 0;
}
