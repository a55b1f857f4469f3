// false
// expect: explore false, oc false, cegar false, auto false
// Output may be a cancellation point.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x;
static void *prints(void *arg) {
  printf("hello\n");
  x = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, prints, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(x == 1);
  return 0;
}
