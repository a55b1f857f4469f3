// false
// expect: explore false, oc false, cegar slow, auto false
// expect:
// sprintf writes to memory, also when it is called through a pointer.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char text[4] = "x";
  int (*volatile print)(char *, const char *, ...) = sprintf;
  print(text, "%d", 5);
  assert(text[0] == 'x');
  return 0;
}
