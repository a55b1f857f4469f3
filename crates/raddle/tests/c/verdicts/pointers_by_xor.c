// true
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar slow, auto slow
// Links of a list that are exclusive ors of the addresses of automatic variables.
#include <assert.h>
#include <stdint.h>
struct link { uintptr_t both; int value; };
int main(void) {
  struct link a = {0, 1}, b = {0, 2}, c = {0, 3};
  a.both = (uintptr_t)&b;
  b.both = (uintptr_t)&a ^ (uintptr_t)&c;
  c.both = (uintptr_t)&b;
  struct link *previous = 0, *here = &a;
  for (int i = 0; i < 2; i++) {
    struct link *next = (struct link *)(here->both ^ (uintptr_t)previous);
    previous = here;
    here = next;
  }
  assert(here->value == 3);
  return 0;
}
