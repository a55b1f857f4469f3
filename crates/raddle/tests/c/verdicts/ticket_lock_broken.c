// false
// expect: explore false, oc false, cegar false, auto false
// Tickets that are not taken in one step are given out twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int x;
static void *work(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  while (atomic_load(&serving) != mine) ;
  x++;
  atomic_store(&serving, mine + 1);
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
