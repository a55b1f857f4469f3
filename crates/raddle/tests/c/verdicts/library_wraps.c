// true
// expect: explore true, oc true, cegar slow, auto true
// Conversions of text say where it ends and what is wrong, in both data models.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void) {
  char *end;
  assert(strtoul("-1", &end, 10) == ULONG_MAX && !*end && errno == 0);
  assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtoul("4294967296", 0, 10) == (ULONG_MAX > 4294967295u ? 4294967296ull : ULONG_MAX));
  assert(errno == (sizeof(long) == 4 ? ERANGE : 0));
  errno = 0;
  assert(strtol("1", 0, 1) == 0 && errno == EINVAL);
  return 0;
}
