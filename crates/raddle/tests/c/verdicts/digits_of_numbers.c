// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// The digits are any digits, the sign is that of the number.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
int main(void) {
  int point, sign;
  char text[4];
  assert(ecvt_r(-1.5, 2, &point, &sign, text, sizeof text) <= 0 && sign == 1);
  assert(text[0] == 0 || (text[0] >= '0' && text[0] <= '9'));
  assert(ecvt_r(INFINITY, 2, &point, &sign, 0, 0) == -1);
  assert(text[0] == '1');
  return 0;
}
