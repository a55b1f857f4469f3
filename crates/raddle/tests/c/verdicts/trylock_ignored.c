// false
// expect: explore false, oc false, cegar false, auto false
// The answer of trylock is not looked at.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *visit(void *arg) {
  pthread_mutex_trylock(&m);
  assert(!inside);
  inside = 1;
  inside = 0;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, visit, 0);
  visit(0);
  return 0;
}
