// true
// expect: explore true, oc true, cegar slow, auto true
// A string that left the environment is the program's again.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *text = strdup("X=1");
  putenv(text);
  assert(getenv("X") == text + 2);
  unsetenv("X");
  free(text);
  assert(!getenv("X"));
  return 0;
}
