// true
// expect: explore true, oc true, cegar true, auto true
// Fetch functions return the old value: tickets are distinct; bits set by both threads are all there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int tickets;
static atomic_uint bits = 0xf0;
static int mine[2];
static void *work(void *arg) {
  long me = (long)arg;
  mine[me] = atomic_fetch_add(&tickets, 1);
  atomic_fetch_or(&bits, 1u << me);
  atomic_fetch_and(&bits, ~(0x10u << me));
  atomic_fetch_xor(&bits, 0x100u << me);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)0);
  pthread_create(&u, 0, work, (void *)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(mine[0] != mine[1] && mine[0] + mine[1] == 1);
  assert(bits == 0x3c3);
  return 0;
}
