// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// Equal literals may be one object, and so may those that end alike.
#include <assert.h>
int main(void) {
  const char *whole = "able", *end = "le";
  assert(whole + 2 != end && "a" != "a");
  return 0;
}
