// false
// expect: explore false, oc false, cegar false, auto false
// A flag checked without a lock lets the function run twice.
#include <assert.h>
#include <pthread.h>
static int done, runs;
static void *work(void *arg) {
  if (!done) {
    done = 1;
    __atomic_fetch_add(&runs, 1, __ATOMIC_SEQ_CST);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(runs == 1);
  return 0;
}
