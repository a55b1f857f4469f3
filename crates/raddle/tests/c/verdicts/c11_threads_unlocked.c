// false
// expect: explore false, oc false, cegar false, auto false
// <threads.h> without a mutex: an update is lost.
#include <assert.h>
#include <threads.h>
static int x;
static int work(void *arg) { x = x + 1; return 0; }
int main(void) {
  thrd_t a, b;
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(x == 2);
  return 0;
}
