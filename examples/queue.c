// A bounded buffer with condition variables: the consumer gets what the producer put in, in order.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 4

int buffer[SIZE], filled, head, tail;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *produce(void *arg) {
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (filled == SIZE)
      pthread_cond_wait(&changed, &lock);
    buffer[head] = i;
    head = (head + 1) % SIZE;
    filled++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  for (int i = 0; i < ITEMS; i++) {
    pthread_mutex_lock(&lock);
    while (filled == 0)
      pthread_cond_wait(&changed, &lock);
    assert(buffer[tail] == i);
    tail = (tail + 1) % SIZE;
    filled--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_join(producer, 0);
  return 0;
}
