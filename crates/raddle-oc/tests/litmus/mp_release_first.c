// sc: true, tso: true, pso: false
// A release store does not keep later stores behind itself.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static atomic_int x;
static int y;
static int a, b;
static void *first(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_release);
  y = 1;
  return 0;
}
static void *second(void *arg) {
  a = y;
  b = atomic_load_explicit(&x, memory_order_acquire);
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
