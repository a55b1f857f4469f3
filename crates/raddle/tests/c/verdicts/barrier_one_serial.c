// true
// expect: explore true, oc true, cegar true, auto true
// In each round exactly one thread is the serial one.
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t b;
static _Atomic int serial;
static void *work(void *arg) {
  int answer = pthread_barrier_wait(&b);
  assert(answer == 0 || answer == PTHREAD_BARRIER_SERIAL_THREAD);
  if (answer) serial++;
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 3);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  work(0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(serial == 1);
  return 0;
}
