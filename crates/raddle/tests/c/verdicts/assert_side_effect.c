// true
// expect: explore true, oc true, cegar true, auto true
// The condition of an assertion is evaluated once.
#include <assert.h>
static int n;
int main(void) {
  assert(n++ == 0);
  assert(n == 1);
  n == 1 ? (void)0 : assert(0);
  if (n) assert(n); else assert(0);
  return 0;
}
