// false
// expect: explore false, oc unknown(unsupported), cegar unknown(unconfirmed), auto false
// expect:
// What grows may stay where it is.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  char *small = malloc(8);
  small[3] = 5;
  uintptr_t before = (uintptr_t)small;
  char *large = realloc(small, 8);
  assert(large[3] == 5);
  assert((uintptr_t)large != before);
  return 0;
}
