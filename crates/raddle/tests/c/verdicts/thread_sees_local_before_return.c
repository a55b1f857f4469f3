// false
// expect: explore false, oc unknown(unconfirmed), cegar unknown(unconfirmed), auto false
// The last thing that a function does makes its local known to a thread, which can look at it before the function returns and the local's life ends.
#include <pthread.h>

void reach_error(void) {}

pthread_t started;

void *look(void *at) {
  int *local = at;
  if (*local == 4) reach_error();
  return 0;
}

void start(void) {
  int local = 4;
  pthread_create(&started, 0, look, &local);
}

int main(void) {
  start();
  pthread_join(started, 0);
  return 0;
}
