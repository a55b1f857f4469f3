// true
// expect: explore true, oc true, cegar true, auto true
// A spinlock excludes; its trylock answers EBUSY.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_spinlock_t s;
static int x;
static void *inc(void *arg) {
  pthread_spin_lock(&s);
  x++;
  assert(pthread_spin_trylock(&s) == EBUSY);
  pthread_spin_unlock(&s);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  pthread_spin_destroy(&s);
  return 0;
}
