// sc: true, tso: true, pso: true
// Load buffering: no store is visible before an earlier load of its thread.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  a = x;
  y = 1;
  return 0;
}
static void *second(void *arg) {
  b = y;
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && b == 1) reach_error();
  return 0;
}
