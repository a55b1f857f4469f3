// false
// expect: explore false, oc false, cegar false, auto false
// Who joins a thread sees what its starter did before starting it, though nobody joins the starter.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_assume(int);
int x = 1, ready;
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
  pthread_create(&t, 0, starts, 0);
  __VERIFIER_assume(ready == 1);
  pthread_join(inner, 0);
  assert(x == 1);
  return 0;
}
