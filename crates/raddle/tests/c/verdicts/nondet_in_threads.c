// true
// expect: explore true, oc true, cegar true, auto true
// Each thread's choice is its own; the sum stays within bounds.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int x[2];
static void *choose(void *arg) { x[(long)arg] = __VERIFIER_nondet_bool() ? 5 : -5; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, choose, (void *)0);
  pthread_create(&u, 0, choose, (void *)1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x[0] + x[1] == 10 || x[0] + x[1] == 0 || x[0] + x[1] == -10);
  return 0;
}
