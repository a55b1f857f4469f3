// true
// expect: explore slow, oc true, cegar true, auto true
// expect:
// A line ends with a zero, and has a newline at its end only.
#include <assert.h>
#include <stdio.h>
int main(void) {
  char line[3];
  if (fgets(line, 3, stdin)) {
    assert(line[0] == '\n' || line[1] == '\n' || line[1] == 0 || line[2] == 0);
    assert(line[0] != '\n' || line[1] == 0);
  }
  return 0;
}
