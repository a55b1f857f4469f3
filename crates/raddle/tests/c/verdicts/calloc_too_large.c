// true
// expect: explore true, oc true, cegar slow, auto true
// expect:
// No object is larger than a size can say.
#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  size_t half = (size_t)-1 / 2 + 1;
  assert(!calloc(half, 2) && !calloc(2, half));
  size_t n = __VERIFIER_nondet_uchar();
  int *array = calloc(n + 1, sizeof(int));
  assert(array[n] == 0);
  return 0;
}
