// false
// expect: explore false, oc false, cegar false, auto false
// Nobody knows that a thread has ended before it is joined.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  assert(pthread_tryjoin_np(thread, 0) == 0);
  return 0;
}
