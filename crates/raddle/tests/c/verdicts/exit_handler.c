// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// Functions that run at exit are not modelled.
#include <assert.h>
#include <stdlib.h>
static void late(void) { assert(0); }
int main(void) {
  atexit(late);
  return 0;
}
