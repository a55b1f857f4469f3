// true
// expect: explore true, oc true, cegar slow, auto true
// Addresses that are hidden in the expression that takes them.
#include <stdint.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int a, b, c;
static uintptr_t direct, chosen, negative, sum;
int main(void) {
  direct = (uintptr_t)&a ^ (uintptr_t)&b;
  chosen = (__VERIFIER_nondet_int() ? (uintptr_t)&a : (uintptr_t)&c) * 3;
  negative = -(uintptr_t)&b;
  sum = (uintptr_t)&a + (uintptr_t)&c;
  a = b = c = 0;
  ++*(int *)(direct ^ (uintptr_t)&b);
  ++*(int *)(chosen / 3);
  ++*(int *)-negative;
  ++*(int *)(sum + negative + (uintptr_t)&b - (uintptr_t)&a);
  if ((a != 2 || b != 1 || c != 1) && (a != 1 || b != 1 || c != 2)) reach_error();
  return 0;
}
