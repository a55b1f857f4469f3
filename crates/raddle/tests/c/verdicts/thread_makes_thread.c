// true
// expect: explore true, oc true, cegar true, auto true
// A thread starts another, whose handle the first thread that joins it got as a result.
#include <assert.h>
#include <pthread.h>
static int x;
static void *inner(void *arg) { x += 10; return 0; }
static void *outer(void *arg) {
  static pthread_t t;
  x += 1;
  pthread_create(&t, 0, inner, 0);
  return &t;
}
int main(void) {
  pthread_t t;
  void *handle;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, &handle);
  pthread_join(*(pthread_t *)handle, 0);
  assert(x == 11);
  return 0;
}
