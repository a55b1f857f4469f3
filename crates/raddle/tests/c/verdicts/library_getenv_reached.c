// false
// expect: explore false, oc false, cegar slow, auto false
// A variable of the environment has any value.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *debug = getenv("DEBUG");
  assert(!debug || debug[0] != '1' || debug[1]);
  return 0;
}
