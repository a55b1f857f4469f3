// true
// expect: explore true, oc true, cegar slow, auto true
// Atomic pointers: exchange, compare-and-exchange and arithmetic on them are single steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int a[4] = {1, 2, 3, 4};
static _Atomic(int *) next = a;
static void *take(void *arg) {
  int *p = next++;
  *p += 10;
  next += 1;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, take, 0);
  pthread_create(&u, 0, take, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(next == a + 4);
  assert(a[0] == 11 && a[3] == 4 && a[1] + a[2] == 15);
  int *expected = a;
  assert(!atomic_compare_exchange_strong(&next, &expected, a) && expected == a + 4);
  assert(atomic_exchange(&next, a) == a + 4 && *next == 11);
  return 0;
}
