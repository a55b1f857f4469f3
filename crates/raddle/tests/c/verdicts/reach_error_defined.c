// false
// expect: explore false, oc false, cegar false, auto false
// reach_error counts although the program gives it a body that aborts.
#include <assert.h>
void reach_error(void) { __assert_fail("0", "reach_error_defined.c", 4, "reach_error"); }
static void check(int cond) { if (!cond) { ERROR: { reach_error(); } } }
int main(void) {
  check(1);
  check(2 + 2 == 5);
  return 0;
}
