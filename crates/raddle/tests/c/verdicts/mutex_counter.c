// true
// expect: explore true, oc true, cegar true, auto true
// A mutex, static or initialised at run time, makes increments whole.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n;
static int x, y;
static void *inc(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&n);
  y += 2;
  pthread_mutex_unlock(&n);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_mutex_init(&n, 0);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, inc, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 3 && y == 6);
  pthread_mutex_destroy(&n);
  return 0;
}
