// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// No rounding but to nearest is known.
#include <assert.h>
#include <fenv.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  assert(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0);
  if (__VERIFIER_nondet_bool())
    fesetround(FE_UPWARD);
  return 0;
}
