// true
// expect: explore true, oc true, cegar true, auto true
// Semaphores order the steps of two threads strictly.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong;
static int trace;
static void *other(void *arg) {
  for (int i = 0; i < 2; i++) {
    sem_wait(&ping);
    trace = trace * 10 + 2;
    sem_post(&pong);
  }
  return 0;
}
int main(void) {
  pthread_t t;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 2; i++) {
    trace = trace * 10 + 1;
    sem_post(&ping);
    sem_wait(&pong);
  }
  assert(trace == 1212);
  return 0;
}
