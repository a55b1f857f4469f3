// true
// expect: explore true, oc true, cegar true, auto true
// Under a mutex, struct copies are whole.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct pair { int a, b; } shared;
static void *set(void *arg) {
  pthread_mutex_lock(&m);
  shared = (struct pair){1, 1};
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  pthread_mutex_lock(&m);
  struct pair copy = shared;
  pthread_mutex_unlock(&m);
  assert(copy.a == copy.b);
  return 0;
}
