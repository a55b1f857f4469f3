// true
// expect: explore true, oc true, cegar true, auto true
// No thread begins the second phase before all have ended the first.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static int x[2], serial;
static void *work(void *arg) {
  long me = (long)arg;
  for (int round = 1; round <= 2; round++) {
    x[me] = round;
    pthread_barrier_wait(&b);
    assert(x[1 - me] == round);
    pthread_barrier_wait(&b);
  }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t, 0, work, (void *)0);
  pthread_create(&u, 0, work, (void *)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_barrier_destroy(&b);
  return 0;
}
