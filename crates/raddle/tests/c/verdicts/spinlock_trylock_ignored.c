// false
// expect: explore false, oc false, cegar false, auto false
// Only trylock, and its answer is ignored.
#include <assert.h>
#include <pthread.h>
static pthread_spinlock_t s;
static int x;
static void *inc(void *arg) {
  int got = pthread_spin_trylock(&s) == 0;
  x++;
  if (got) pthread_spin_unlock(&s);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_spin_init(&s, 0);
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
