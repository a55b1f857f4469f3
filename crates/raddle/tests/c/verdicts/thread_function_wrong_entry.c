// false
// expect: explore false, oc false, cegar false, auto false
// The second entry of the table is never started.
#include <assert.h>
#include <pthread.h>
static int x, y;
static void *set_x(void *arg) { x++; return 0; }
static void *set_y(void *arg) { y++; return 0; }
static struct { int rank; void *(*run)(void *); } table[2] = {{1, set_x}, {2, set_y}};
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[i], 0, table[i * 2 / 3].run, 0);
    pthread_join(t[i], 0);
  }
  assert(y == 1 || x != 2);
  return 0;
}
