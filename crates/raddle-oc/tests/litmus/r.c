// sc: true, tso: false, pso: false
// The shape R: a load overtakes the store before it.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a;
static void *first(void *arg) {
  x = 1;
  y = 1;
  return 0;
}
static void *second(void *arg) {
  y = 2;
  a = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (y == 2 && a == 0) reach_error();
  return 0;
}
