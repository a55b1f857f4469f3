// sc: true, tso: true, pso: true
// Coherence: a load does not see its thread's later store.
#include <pthread.h>
void reach_error(void);
static int x;
static int a;
static void *first(void *arg) {
  a = x;
  x = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  pthread_join(t, 0);
  if (a != 0) reach_error();
  return 0;
}
