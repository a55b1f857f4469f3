// true
// expect: explore true, oc true, cegar true, auto true
// Neighbouring array elements and fields are written independently.
#include <assert.h>
#include <pthread.h>
static char a[3];
static struct { short x; char y; } s;
static void *low(void *arg) { a[0]++; a[2] = 9; s.x = -1; return 0; }
static void *high(void *arg) { a[1]++; s.y = 5; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, low, 0);
  pthread_create(&u, 0, high, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a[0] == 1 && a[1] == 1 && a[2] == 9 && s.x == -1 && s.y == 5);
  return 0;
}
