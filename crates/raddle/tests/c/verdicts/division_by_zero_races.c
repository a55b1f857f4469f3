// false
// expect: explore false, oc false, cegar false, auto false
// A divisor that is checked and then read again may be zero in between, which ends only that path.
#include <assert.h>
#include <pthread.h>
static int divisor = 2, result;
static void *clear(void *arg) { divisor = 0; divisor = 5; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  if (divisor != 0) result = 10 / divisor;
  pthread_join(t, 0);
  assert(result == 5 || result == 0);
  return 0;
}
