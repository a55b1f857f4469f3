// true
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// Memory is aligned as asked for.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *memory = aligned_alloc(64, 128), *other;
  assert((uintptr_t)memory % 64 == 0);
  assert(posix_memalign(&other, 32, 10) == 0 && (uintptr_t)other % 32 == 0);
  assert(posix_memalign(&other, 24, 10) == 22);
  _Alignas(32) char local[3];
  assert((uintptr_t)local % 32 == 0);
  return 0;
}
