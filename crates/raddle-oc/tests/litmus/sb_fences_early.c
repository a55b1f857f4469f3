// sc: true, tso: false, pso: false
// Fences before the stores order nothing.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  atomic_thread_fence(memory_order_seq_cst);
  x = 1;
  a = y;
  return 0;
}
static void *second(void *arg) {
  atomic_thread_fence(memory_order_seq_cst);
  y = 1;
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
