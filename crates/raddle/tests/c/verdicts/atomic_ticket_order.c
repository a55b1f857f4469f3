// false
// expect: explore false, oc false, cegar false, auto false
// Which thread gets the first ticket is open.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tickets;
static int mine[2];
static void *work(void *arg) { mine[(long)arg] = atomic_fetch_add(&tickets, 1); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)0);
  pthread_create(&u, 0, work, (void *)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(mine[0] == 0);
  return 0;
}
