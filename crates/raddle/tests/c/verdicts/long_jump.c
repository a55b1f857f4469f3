// false
// expect: explore false, oc false, cegar false, auto false
// The jump arrives at setjmp: what was done before it stays.
#include <assert.h>
#include <setjmp.h>
static jmp_buf where;
static int x;
int main(void) {
  if (setjmp(where) == 0) {
    x = 1;
    longjmp(where, 1);
  }
  assert(x == 0);
  return 0;
}
