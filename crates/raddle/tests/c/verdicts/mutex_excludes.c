// true
// expect: explore true, oc true, cegar true, auto true
// While one thread holds the mutex no other does.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *visit(void *arg) {
  pthread_mutex_lock(&m);
  assert(inside == 0);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, visit, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
