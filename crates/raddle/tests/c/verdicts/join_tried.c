// true
// expect: explore true, oc true, cegar true, auto true
// A join that does not wait has the result, or says that the thread is busy.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static int x;
static void *sets(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t thread;
  void *result = 0;
  pthread_create(&thread, 0, sets, (void *)5);
  int error = pthread_tryjoin_np(thread, &result);
  assert(error == 0 || error == EBUSY && result == 0);
  if (error)
    pthread_join(thread, &result);
  assert(x == 1 && result == (void *)5);
  return 0;
}
