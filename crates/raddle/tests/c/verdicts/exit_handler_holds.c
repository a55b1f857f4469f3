// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// The handler runs once, last registered first.
#include <assert.h>
#include <stdlib.h>
static int x;
static void late(void) { assert(x == 1); x = 2; }
static void early(void) { assert(x == 0); x = 1; }
int main(void) {
  atexit(late);
  atexit(early);
  return 0;
}
