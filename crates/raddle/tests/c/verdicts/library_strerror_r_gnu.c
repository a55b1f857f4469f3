// true
// expect: explore slow, oc unknown(bound-reached), cegar slow, auto true
// GNU's strerror_r returns a text.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
int main(void) {
  char text[3] = "??";
  assert(strerror_r(EINVAL, text, sizeof text) == strerror(EINVAL) && text[0] == '?');
  assert(strerror_r(-5, text, sizeof text) == text && !text[2]);
  return 0;
}
