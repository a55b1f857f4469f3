// sc: true, tso: false, pso: false
// A thread sees its own store before it is visible (n6 of Owens, Sarkar, Sewell 2009).
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  x = 1;
  a = x;
  b = y;
  return 0;
}
static void *second(void *arg) {
  y = 2;
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && b == 0 && x == 1) reach_error();
  return 0;
}
