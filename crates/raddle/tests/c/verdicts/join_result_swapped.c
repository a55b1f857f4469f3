// false
// expect: explore false, oc false, cegar false, auto false
// Handles and results are mixed up: b's result is taken for a's.
#include <assert.h>
#include <pthread.h>
static void *same(void *arg) { return arg; }
int main(void) {
  pthread_t a, b;
  void *x;
  pthread_create(&a, 0, same, (void *)1);
  pthread_create(&b, 0, same, (void *)2);
  pthread_join(b, &x);
  pthread_join(a, 0);
  assert((long)x == 1);
  return 0;
}
