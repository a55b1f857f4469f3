// sc: true, tso: true, pso: true
// Write to read causality.
#include <pthread.h>
void reach_error(void);
static int x, y;
static int a, b, c;
static void *first(void *arg) {
  x = 1;
  return 0;
}
static void *second(void *arg) {
  a = x;
  y = 1;
  return 0;
}
static void *third(void *arg) {
  b = y;
  c = x;
  return 0;
}
int main(void) {
  pthread_t t, u, v;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_create(&v, 0, third, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  pthread_join(v, 0);
  if (a == 1 && b == 1 && c == 0) reach_error();
  return 0;
}
