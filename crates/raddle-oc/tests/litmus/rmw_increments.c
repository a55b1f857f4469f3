// sc: true, tso: true, pso: true
// Read-modify-writes lose nothing.
#include <pthread.h>
void reach_error(void);
static int x;
static void *first(void *arg) {
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  return 0;
}
static void *second(void *arg) {
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (x != 4) reach_error();
  return 0;
}
