// false
// expect: explore false, oc unknown(unconfirmed), cegar unknown(unconfirmed), auto false
// A local is published by the last call of its function, and read before the function returns.
#include <pthread.h>

void reach_error(void) {}

int *published;

void publish(int *what) { published = what; }

void own(void) {
  int local = 4;
  publish(&local);
}

void *look(void *unused) {
  int *there = published;
  if (there && *there == 4) reach_error();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, look, 0);
  own();
  pthread_join(thread, 0);
  return 0;
}
