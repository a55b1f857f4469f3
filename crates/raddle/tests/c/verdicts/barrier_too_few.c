// true
// expect: explore true, oc true, cegar true, auto true
// A barrier for three never opens for two.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static void *work(void *arg) {
  pthread_barrier_wait(&b);
  assert(0);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
