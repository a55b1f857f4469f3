// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// The __sync builtins: counting, a lock made of test-and-set and release, compare-and-swap.
#include <assert.h>
#include <pthread.h>
static int x, y, lock, owner, wins;
static void *work(void *arg) {
  int me = (int)(long)arg;
  __sync_fetch_and_add(&x, 5);
  __sync_sub_and_fetch(&x, 2);
  while (__sync_lock_test_and_set(&lock, 1)) ;
  y++;
  __sync_lock_release(&lock);
  if (__sync_bool_compare_and_swap(&owner, 0, me)) __sync_add_and_fetch(&wins, 1);
  int seen = __sync_val_compare_and_swap(&owner, 9, 0);
  assert(seen == 1 || seen == 2);
  __sync_synchronize();
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)1);
  pthread_create(&u, 0, work, (void *)2);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 6 && y == 2 && wins == 1 && lock == 0);
  return 0;
}
