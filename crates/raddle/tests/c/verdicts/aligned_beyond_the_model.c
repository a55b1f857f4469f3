// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// Larger alignments are not modelled, and nobody guesses.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
  void *memory = aligned_alloc(4096, 8192);
  assert((uintptr_t)memory % 4096 == 0);
  return 0;
}
