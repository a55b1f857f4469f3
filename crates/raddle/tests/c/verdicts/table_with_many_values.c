// false
// expect: explore false, oc false, cegar false, auto false
// The last elements of a large table have their values like the first ones.
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define TEN(x) x, x, x, x, x, x, x, x, x, x
int table[5000] = {TEN(TEN(TEN(1))), TEN(TEN(TEN(1))), TEN(TEN(TEN(1))), TEN(TEN(TEN(1))), TEN(TEN(TEN(1)))};
int main(void) {
  unsigned i = __VERIFIER_nondet_uint();
  if (i > 4990 && i < 5000) assert(table[i] == 0);
  return 0;
}
