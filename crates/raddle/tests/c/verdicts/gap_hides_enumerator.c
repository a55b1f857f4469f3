// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// The inner enumerator is meant.
#include <assert.h>
enum { SIZE = 1 };
int main(void) {
  struct { _Decimal64 z; enum { SIZE = 2 } e; } s;
  assert(SIZE == 1);
}
