// sc: true, tso: true, pso: true
// Coherence: a load sees its thread's store or a later one.
#include <pthread.h>
void reach_error(void);
static int x;
static int a;
static void *first(void *arg) {
  x = 1;
  a = x;
  return 0;
}
static void *second(void *arg) {
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 0 || a == 2 && x == 1) reach_error();
  return 0;
}
