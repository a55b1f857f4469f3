// false
// expect: explore false, oc false, cegar false, auto false
// The thread may be asked to end before it disables cancellation, and then ends at its first point or not at all; joining it does not tell.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t never;
static int reached;
static void *runs(void *arg) {
  pthread_testcancel();
  reached = 1;
  sem_wait(&never);
  return 0;
}
int main(void) {
  pthread_t thread;
  sem_init(&never, 0, 0);
  pthread_create(&thread, 0, runs, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
  assert(reached == 0);
  return 0;
}
