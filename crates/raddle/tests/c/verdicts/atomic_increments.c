// true
// expect: explore true, oc true, cegar true, auto true
// Increments, compound assignments and fetch functions on atomic objects are single steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int a;
static atomic_int b;
static _Atomic unsigned char c = 254;
static atomic_long d = 10;
static void *work(void *arg) {
  a++;
  b += 3;
  ++c;
  atomic_fetch_sub(&d, 4);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a == 2 && b == 6 && c == 0 && d == 2);
  return 0;
}
