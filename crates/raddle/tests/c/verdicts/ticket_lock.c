// true
// expect: explore true, oc true, cegar true, auto true
// A ticket lock serves in the order of the tickets.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next, serving;
static int x, last = -1;
static void *work(void *arg) {
  unsigned mine = atomic_fetch_add(&next, 1);
  while (atomic_load(&serving) != mine) ;
  assert(last == (int)mine - 1);
  last = (int)mine;
  x++;
  atomic_store(&serving, mine + 1);
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(x == 3);
  return 0;
}
