// sc: true, tso: true, pso: true
// On these machines a read-modify-write waits for the stores before it, whatever its order.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  a = y;
  return 0;
}
static void *second(void *arg) {
  __atomic_fetch_add(&y, 1, __ATOMIC_RELAXED);
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
