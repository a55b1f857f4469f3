// false
// expect: explore false, oc unknown(bound-reached), cegar false, auto false
// How many small objects there are before a large one depends on the input.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
  __VERIFIER_assume(n >= 0 && n <= 7);
  while (i < n) {
    int *small = malloc(8);
    *small = 3;
    i++;
  }
  char *large = malloc(1000);
  large[300] = 1, large[500] = 1, large[700] = 1, large[900] = 1;
  sum += large[300] + large[500] + large[700] + large[900];
  for (int k = 0; k < 12; k++) {
    int *small = malloc(8);
    *small = k;
    sum += *small;
  }
  assert(i != 5 || sum == 3);
  return 0;
}
