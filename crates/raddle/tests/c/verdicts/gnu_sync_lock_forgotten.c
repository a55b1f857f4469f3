// false
// expect: explore false, oc false, cegar false, auto false
// Test-and-set without looking at the old value is no lock.
#include <assert.h>
#include <pthread.h>
static int lock, x;
static void *work(void *arg) {
  __sync_lock_test_and_set(&lock, 1);
  x++;
  __sync_lock_release(&lock);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
