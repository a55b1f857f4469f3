// false
// expect: explore false, oc false, cegar false, auto false
// The inner thread goes on when the thread that started it has ended.
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_t in;
static void *inner(void *arg) { x = 1; return 0; }
static void *outer(void *arg) { pthread_create(&in, 0, inner, 0); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, 0);
  int before = x;
  pthread_join(in, 0);
  assert(before == x);
  return 0;
}
