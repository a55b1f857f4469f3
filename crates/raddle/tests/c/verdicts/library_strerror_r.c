// true
// expect: explore slow, oc unknown(bound-reached), cegar slow, auto true
// X/Open's strerror_r, which <string.h> declares by another name.
#include <assert.h>
#include <errno.h>
#include <string.h>
int main(void) {
  char text[3] = "??";
  int answer = strerror_r(EINVAL, text, sizeof text);
  assert(answer == 0 || answer == ERANGE);
  assert(!text[2] && text[0]);
  return 0;
}
