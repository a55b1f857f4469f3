// true
// expect: explore true, oc true, cegar true, auto true
// Powers that a format has are exact.
#include <assert.h>
#include <math.h>
int main(void) {
  assert(pow(2, 10) == 1024 && pow(2, -1074) == 0x1p-1074 && pow(-2, 3) == -8 && pow(10, 15) == 1e15 && pow(3, 4) == 81);
  assert(powf(7, 3) == 343 && powl(10, 18) == 1000000000000000000L && exp2(-3) == 0.125 && log2(0x1p-1000) == -1000);
  assert(isinf(pow(0, -1)) && isnan(pow(-8, 1 / 3.0)) && pow(-INFINITY, -3) == 0 && isinf(pow(2, 1024)));
  int e;
  assert(frexp(48, &e) == 0.75 && e == 6 && ldexp(0.75, 6) == 48 && remainder(5, 3) == -1);
  return 0;
}
