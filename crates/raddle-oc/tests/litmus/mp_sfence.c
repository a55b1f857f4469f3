// sc: true, tso: true, pso: true
// A store fence keeps stores in order.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  x = 1;
  __builtin_ia32_sfence();
  y = 1;
  return 0;
}
static void *second(void *arg) {
  a = y;
  __builtin_ia32_sfence();
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && b == 0) reach_error();
  return 0;
}
