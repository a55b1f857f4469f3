// sc: true, tso: true, pso: true
// A read-modify-write instead of the store.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST);
  a = y;
  return 0;
}
static void *second(void *arg) {
  __atomic_exchange_n(&y, 1, __ATOMIC_SEQ_CST);
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
