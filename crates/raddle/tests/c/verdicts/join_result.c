// true
// expect: explore true, oc true, cegar true, auto true
// The result of a thread, returned or given to pthread_exit, arrives at the join.
#include <assert.h>
#include <pthread.h>
static void *plus(void *arg) { return (void *)((long)arg + 1); }
static void deep(int n, void *result) { if (n) deep(n - 1, result); else pthread_exit(result); }
static void *leaves(void *arg) { deep(3, (char *)arg + 5); assert(0); return 0; }
int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, plus, (void *)41);
  pthread_create(&b, 0, leaves, (void *)10);
  pthread_join(a, &x);
  pthread_join(b, &y);
  assert((long)x == 42 && (long)y == 15);
  return 0;
}
