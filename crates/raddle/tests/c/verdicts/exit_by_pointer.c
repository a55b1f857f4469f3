// true
// expect: explore true, oc true, cegar true, auto true
// exit through a pointer ends the program.
#include <assert.h>
#include <stdlib.h>
static void (*volatile quit)(int) = exit;
int main(void) {
  quit(0);
  assert(0);
  return 0;
}
