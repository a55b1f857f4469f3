// sc: true, tso: true, pso: false
// A pointer is published before what it points to.
#include <pthread.h>
#include <stdlib.h>
void reach_error(void);
static int *p;
static int a, b = 1;
static void *first(void *arg) {
  int *q = calloc(1, sizeof *q);
  *q = 1;
  p = q;
  return 0;
}
static void *second(void *arg) {
  int *q = p;
  if (q) { a = 1; b = *q; }
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && b == 0) reach_error();
  return 0;
}
