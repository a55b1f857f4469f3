// false
// expect: explore false, oc false, cegar false, auto false
// A local that is not volatile and has changed since setjmp is indeterminate: a compiler may give either value.
#include <assert.h>
#include <setjmp.h>
static jmp_buf where;
int main(void) {
  int local = 1;
  if (setjmp(where) == 0) {
    local = 2;
    longjmp(where, 1);
  }
  assert(local == 2);
  return 0;
}
