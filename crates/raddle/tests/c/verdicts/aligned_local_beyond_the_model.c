// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
#include <assert.h>
#include <stdint.h>
int main(void) {
  _Alignas(256) char local[3];
  assert((uintptr_t)local % 256 == 0);
  return 0;
}
