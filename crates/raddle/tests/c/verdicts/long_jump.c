// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
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
