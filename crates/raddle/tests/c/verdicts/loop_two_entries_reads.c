// false
// expect: explore false, oc false, cegar false, auto false
// A loop that only reads, with two ways in: who comes in by the second one leaves by the first.
#include <assert.h>
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
int flag;
void *sets(void *arg) {
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sets, 0);
  int inside = __VERIFIER_nondet_bool();
  if (inside) goto middle;
head:
  if (flag == 2) goto out;
middle:
  if (flag == 1) goto out;
  goto head;
out:
  assert(inside);
  return 0;
}
