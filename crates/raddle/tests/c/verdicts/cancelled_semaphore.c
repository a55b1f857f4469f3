// false
// expect: explore false, oc false, cegar false, auto false
// The thread may take the semaphore before it is asked to end.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t semaphore;
static void *takes(void *arg) {
  sem_wait(&semaphore);
  return 0;
}
int main(void) {
  pthread_t thread;
  void *result;
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, takes, 0);
  sem_post(&semaphore);
  pthread_cancel(thread);
  pthread_join(thread, &result);
  assert(result == PTHREAD_CANCELED);
  return 0;
}
