// false
// expect: explore false, oc false, cegar false, auto false
// A thread that ends in an atomic block leaves its writes behind.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
int x;
void *ends(void *arg) {
  __VERIFIER_atomic_begin();
  x = 1;
  pthread_exit(0);
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, ends, 0);
  assert(x == 0);
  return 0;
}
