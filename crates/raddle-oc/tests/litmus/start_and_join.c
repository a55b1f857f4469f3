// sc: true, tso: true, pso: true
// A started thread sees what was stored before, and whoever joins it what it stored.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  a = x;
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, first, 0);
  pthread_join(t, 0);
  if (a != 1 || y != 1) reach_error();
  return 0;
}
