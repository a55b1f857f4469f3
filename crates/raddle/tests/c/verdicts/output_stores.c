// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// `%n` is not modelled.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5;
  fprintf(stderr, "ab%%c%n", &n);
  assert(n == 5);
  return 0;
}
