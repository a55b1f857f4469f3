// sc: true, tso: true, pso: true
// Coherence: a store comes after what an earlier load of its thread saw.
#include <pthread.h>
void reach_error(void);
static int x;
static int a;
static void *first(void *arg) {
  x = 1;
  return 0;
}
static void *second(void *arg) {
  a = x;
  x = 2;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && x == 1) reach_error();
  return 0;
}
