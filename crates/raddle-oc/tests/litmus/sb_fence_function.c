// sc: true, tso: false, pso: false
// The function that the header declares, with a release fence.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static int x, y;
static int a, b;
static void *first(void *arg) {
  x = 1;
  (atomic_thread_fence)(memory_order_release);
  a = y;
  return 0;
}
static void *second(void *arg) {
  y = 1;
  (atomic_thread_fence)(memory_order_release);
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
