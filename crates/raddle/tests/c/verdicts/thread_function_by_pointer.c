// true
// expect: explore true, oc true, cegar true, auto true
// Thread functions come out of a table and through a parameter.
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *set_x(void *arg) { x = 1; return 0; }
static void *set_y(void *arg) { y = 2; return 0; }
static void *(*const table[])(void *) = {set_x, set_y};
static pthread_t start(void *(*run)(void *)) { pthread_t t; pthread_create(&t, 0, run, 0); return t; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) t[i] = start(table[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 1 && y == 2);
  return 0;
}
