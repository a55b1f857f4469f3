// true
// expect: explore true, oc true, cegar slow, auto true
// Compound assignments on atomic floats and bools are single steps.
#include <assert.h>
#include <pthread.h>
static _Atomic double d = 1;
static _Atomic float f = 8;
static _Atomic _Bool b;
static void *work(void *arg) { d *= 2; d += 1; f /= 2; b ^= 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert((d == 7 || d == 6) && f == 2 && b == 0);
  return 0;
}
