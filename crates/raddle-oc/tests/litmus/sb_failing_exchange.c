// sc: true, tso: true, pso: true
// Store buffering with an exchange that fails between store and load: it empties the store buffer.
#include <pthread.h>
void reach_error(void);
static int x, y, other;
static int a, b;
static void *first(void *arg) {
  int expected = 1;
  x = 1;
  __atomic_compare_exchange_n(&other, &expected, 2, 0, 0, 0);
  a = y;
  return 0;
}
static void *second(void *arg) {
  y = 1;
  __sync_bool_compare_and_swap(&other, 1, 2);
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
