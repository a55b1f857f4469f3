// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// The length of the array is computed, whatever its elements are.
#include <assert.h>
static int length(void) { assert(0); return 1; }
int main(void) { _Decimal64 values[length()]; return 0; }
