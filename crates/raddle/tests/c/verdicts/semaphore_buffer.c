// true
// expect: explore true, oc true, cegar true, auto true
// Producer and consumer with counting semaphores; each item is seen once, in order.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t empty, full;
static int buffer[2];
static void *produce(void *arg) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&empty);
    buffer[i % 2] = i + 1;
    sem_post(&full);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&empty, 0, 2);
  sem_init(&full, 0, 0);
  pthread_create(&t, 0, produce, 0);
  for (int i = 0; i < 3; i++) {
    sem_wait(&full);
    assert(buffer[i % 2] == i + 1);
    sem_post(&empty);
  }
  return 0;
}
