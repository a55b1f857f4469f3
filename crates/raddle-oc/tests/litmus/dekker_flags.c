// sc: true, tso: false, pso: false
// The heart of Dekker's algorithm: who sees no wish of the other goes in.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int in1, in2;
static void *first(void *arg) {
  x = 1;
  if (!y) in1 = 1;
  return 0;
}
static void *second(void *arg) {
  y = 1;
  if (!x) in2 = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (in1 && in2) reach_error();
  return 0;
}
