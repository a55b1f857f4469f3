// Two threads deposit without a lock: one deposit may be lost.
#include <pthread.h>

extern void reach_error(void);

int balance = 100;

void *deposit(void *amount) {
  balance += *(int *)amount;
  return 0;
}

int main(void) {
  pthread_t first, second;
  int ten = 10, twenty = 20;
  pthread_create(&first, 0, deposit, &ten);
  pthread_create(&second, 0, deposit, &twenty);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (balance != 130)
    reach_error();
  return 0;
}
