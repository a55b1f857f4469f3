// true
// expect: explore true, oc true, cegar true, auto true
// Of two threads that try to take a flag by compare-and-exchange, exactly one succeeds.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int owner;
static _Bool won[3];
static void *take(void *arg) {
  int free = 0;
  long me = (long)arg;
  won[me] = atomic_compare_exchange_strong(&owner, &free, (int)me);
  if (!won[me]) assert(free == 3 - me);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, take, (void *)1);
  pthread_create(&u, 0, take, (void *)2);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(won[1] + won[2] == 1 && won[owner]);
  return 0;
}
