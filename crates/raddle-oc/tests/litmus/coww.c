// sc: true, tso: true, pso: true
// Coherence: two stores to a place stay in order.
#include <pthread.h>
void reach_error(void);
static int x;
static void *first(void *arg) {
  x = 1;
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_join(t, 0);
  if (x != 2) reach_error();
  return 0;
}
