// true
// expect: explore true, oc true, cegar true, auto true
// strfry leaves the letters what they are.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
int main(void) {
  char text[] = "abc";
  strfry(text);
  assert(text[0] + text[1] + text[2] == 'a' + 'b' + 'c' && !text[3]);
  return 0;
}
