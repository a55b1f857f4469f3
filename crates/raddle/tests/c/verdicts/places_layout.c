// false
// expect:
// Nobody promises which of two objects is lower.
#include <assert.h>
int x, y;
int main(void) {
  assert(&x < &y);
  assert(((unsigned long)&x & 64) == 0 || &x + 1 != &y);
  return 0;
}
