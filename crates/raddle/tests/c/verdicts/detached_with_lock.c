// true
// expect: explore true, oc true, cegar true, auto true
// Detached by attribute; a mutex keeps the two writes together.
#include <assert.h>
#include <pthread.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *runs(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  y++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, runs, 0);
  pthread_attr_destroy(&attributes);
  pthread_mutex_lock(&m);
  assert(x == y);
  pthread_mutex_unlock(&m);
  return 0;
}
