// sc: true, tso: true, pso: true
// Independent reads of independent writes: a store is visible to all others at once.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b, c, d;
static void *first(void *arg) {
  x = 1;
  return 0;
}
static void *second(void *arg) {
  y = 1;
  return 0;
}
static void *third(void *arg) {
  a = x;
  b = y;
  return 0;
}
static void *fourth(void *arg) {
  c = y;
  d = x;
  return 0;
}
int main(void) {
  pthread_t t, u, v, w;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_create(&v, 0, third, 0);
  pthread_create(&w, 0, fourth, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
  pthread_join(w, 0);
  if (a == 1 && b == 0 && c == 1 && d == 0) reach_error();
  return 0;
}
