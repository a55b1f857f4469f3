// false
// expect: explore false, oc false, cegar slow, auto false
// A message is any text.
#include <assert.h>
#include <string.h>
int main(void) {
  assert(strerror(2)[0] != 'N');
  return 0;
}
