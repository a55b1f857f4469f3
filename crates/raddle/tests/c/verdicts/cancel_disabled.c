// true
// expect: explore true, oc true, cegar true, auto true
// A request waits until cancellation is enabled and a point is reached; what is no point does not act.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t asked;
static int before, after;
static void *runs(void *arg) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  sem_wait(&asked);
  pthread_testcancel();
  before = 1;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  before = 2;
  pthread_testcancel();
  after = 1;
  return 0;
}
int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&asked, 0, 0);
  pthread_create(&thread, 0, runs, 0);
  pthread_cancel(thread);
  sem_post(&asked);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED && before == 2);
  assert(after == 0);
  return 0;
}
