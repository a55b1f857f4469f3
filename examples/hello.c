// Threads that print: each seed of `raddle simulate` gives one order.
#include <pthread.h>
#include <stdio.h>

void *greet(void *name) {
  printf("hello from %s\n", (char *)name);
  return 0;
}

int main(void) {
  pthread_t threads[3];
  char *names[3] = {"warp", "weft", "shuttle"};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, greet, names[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  return 0;
}
