// Two threads count without a lock: an increment can get lost.
#include <assert.h>
#include <pthread.h>

int counter;

void *count(void *arg) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(counter == 2);
  return 0;
}
