// true
// expect: explore true, oc true, cegar true, auto true
// With sequentially consistent atomics at least one thread sees the other's write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *first(void *arg) { atomic_store(&x, 1); a = atomic_load(&y); return 0; }
static void *second(void *arg) { atomic_store(&y, 1); b = atomic_load(&x); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
  return 0;
}
