// sc: true, tso: false, pso: false
// It is the store that waits: sequentially consistent loads alone do not help.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static atomic_int x, y;
static int a, b;
static void *first(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load(&y);
  return 0;
}
static void *second(void *arg) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load(&x);
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
