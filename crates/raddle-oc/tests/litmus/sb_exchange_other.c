// sc: true, tso: true, pso: true
// A read-modify-write of something else is as good as a fence.
#include <pthread.h>
void reach_error(void);
static int x, y, p, q;
static int a, b;
static void *first(void *arg) {
  x = 1;
  __atomic_exchange_n(&p, 1, __ATOMIC_SEQ_CST);
  a = y;
  return 0;
}
static void *second(void *arg) {
  y = 1;
  __atomic_exchange_n(&q, 1, __ATOMIC_SEQ_CST);
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 0 && b == 0) reach_error();
  return 0;
}
