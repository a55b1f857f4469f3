// false
// expect: explore false, oc false, cegar false, auto false
// The post comes before the write that it announces.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static int x;
static void *writer(void *arg) {
  sem_post(&ready);
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&ready, 0, 0);
  pthread_create(&t, 0, writer, 0);
  sem_wait(&ready);
  assert(x == 1);
  return 0;
}
