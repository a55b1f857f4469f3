// false
// expect: explore false, oc false, cegar false, auto false
// What main wrote after joining the inner thread is later than what the starter left behind.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
int x, ready;
pthread_t inner;
void *does_nothing(void *arg) { return 0; }
void *starts(void *arg) {
  x = 7;
  pthread_create(&inner, 0, does_nothing, 0);
  ready = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, starts, 0);
  __VERIFIER_assume(ready == 1);
  pthread_join(inner, 0);
  x = 1;
  pthread_join(t, 0);
  assert(x == 7);
  return 0;
}
