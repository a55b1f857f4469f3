// false
// expect: explore false, oc false, cegar false, auto false
// Each thread locks a mutex of its own.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int x;
static void *inc(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&m[i]);
  x++;
  pthread_mutex_unlock(&m[i]);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, (void *)0);
  pthread_create(&b, 0, inc, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
