// false
// expect: explore false, oc false, cegar false, auto false
// Through a pointer, a thread-local variable can be raced for like any other.
#include <assert.h>
#include <pthread.h>
static __thread int x;
static void *work(void *arg) { ++*(int *)arg; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, &x);
  x++;
  pthread_join(t, 0);
  assert(x == 2);
  return 0;
}
