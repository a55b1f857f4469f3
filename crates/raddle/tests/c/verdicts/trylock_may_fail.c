// false
// expect: explore false, oc false, cegar false, auto false
// A trylock does not wait.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *visit(void *arg) {
  if (pthread_mutex_trylock(&m)) assert(0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, visit, 0);
  pthread_create(&b, 0, visit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
