// Peterson's mutual exclusion for two threads: the critical sections never overlap.
#include <assert.h>
#include <pthread.h>

int wants[2], turn, inside;

void *worker(void *arg) {
  int me = *(int *)arg, other = 1 - me;
  wants[me] = 1;
  turn = other;
  while (wants[other] && turn == other)
    ;
  inside++;
  assert(inside == 1);
  inside--;
  wants[me] = 0;
  return 0;
}

int main(void) {
  int ids[2] = {0, 1};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, worker, &ids[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
