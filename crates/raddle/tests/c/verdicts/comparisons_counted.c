// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// How many elements are compared, and which, is the library's own business.
#include <assert.h>
#include <stdlib.h>
static int count;
static int compare(const void *a, const void *b) {
  count++;
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int numbers[3] = {3, 1, 2};
  qsort(numbers, 3, sizeof(int), compare);
  assert(numbers[0] == 1 && numbers[2] == 3);
  assert(count == 3);
  return 0;
}
