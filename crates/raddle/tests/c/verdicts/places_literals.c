// false
// expect:
// Equal literals may be one object, and so may those that end alike.
#include <assert.h>
int main(void) {
  const char *whole = "able", *end = "le";
  assert(whole + 2 != end && "a" != "a");
  return 0;
}
