// false
// expect: explore false, oc false, cegar false, auto false
// A barrier for two opens for two of three, and the third finds out.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static _Atomic int arrived;
static void *work(void *arg) {
  arrived++;
  pthread_barrier_wait(&b);
  assert(arrived == 3);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_barrier_init(&b, 0, 2);
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
