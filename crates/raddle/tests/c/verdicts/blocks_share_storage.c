// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// expect:
// Variables of two blocks may have one storage, and gcc gives it to them.
#include <assert.h>
#include <stdint.h>
static uintptr_t first, second;
static void keep(uintptr_t *where, int *array) {
  array[0]++;
  *where = (uintptr_t)array;
}
int main(void) {
  {
    int one[4] = {1};
    keep(&first, one);
  }
  {
    int two[4] = {2};
    keep(&second, two);
  }
  assert(first != second);
  return 0;
}
