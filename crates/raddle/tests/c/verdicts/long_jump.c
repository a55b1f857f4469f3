// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// setjmp and longjmp are not modelled; a setjmp that just returns any value would miss the error.
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
