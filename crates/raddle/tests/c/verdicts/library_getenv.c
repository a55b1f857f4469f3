// true
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar slow, auto slow
// A variable of the environment does not change by itself, and is what it is set to.
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char *home = getenv("HOME");
  assert(getenv("HOME") == home);
  setenv("HOME", "/", 1);
  assert(!strcmp(getenv("HOME"), "/"));
  unsetenv("HOME");
  assert(!getenv("HOME"));
  return 0;
}
