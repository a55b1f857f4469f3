// false
// expect: explore false, oc false, cegar false, auto false
// expect:
#include <assert.h>
void __VERIFIER_nondet_memory(void *, unsigned long);
int main(void)
{
  struct { char a, b; } s = {1, 2};
  __VERIFIER_nondet_memory(&s, sizeof s);
  assert(s.a != 7 || s.b != 9);
}
