// true
// expect: explore true, oc true, cegar true, auto true
// What the parts of sums, products with reals, conjugates and conversions are.
#include <assert.h>
#include <complex.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

static float _Complex turn(float _Complex z) { return CMPLXF(-cimagf(z), crealf(z)); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < -100 || n > 100) return 0;
  float _Complex z = n + 2.0f * I, w = __VERIFIER_nondet_bool() ? z : ~z;
  assert(crealf(w) == n && (cimagf(w) == 2 || cimagf(w) == -2));
  assert(z + ~z == 2 * n && cimagf(z - w) >= 0);
  assert(turn(turn(z)) == -z);
  int _Complex k = z;
  assert(__real__ k == n && __imag__ k == 2 && (int)z == n);
}
