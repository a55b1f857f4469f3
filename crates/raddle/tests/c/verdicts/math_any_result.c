// false
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// A result is not known to the last bit: glibc's cube root of 27 is more than 3.
#include <assert.h>
#include <math.h>
int main(void) {
  assert(cbrt(27) <= 3);
  return 0;
}
