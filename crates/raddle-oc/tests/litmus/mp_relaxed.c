// sc: true, tso: true, pso: false
// A relaxed store does not.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static int x;
static atomic_int y;
static int a, b;
static void *first(void *arg) {
  x = 1;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}
static void *second(void *arg) {
  a = atomic_load_explicit(&y, memory_order_acquire);
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
