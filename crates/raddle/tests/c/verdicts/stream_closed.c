// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// Nothing is known of output to a stream that was closed.
#include <assert.h>
#include <stdio.h>
int main(void) {
  fclose(stdout);
  assert(printf("abc") == 3);
  return 0;
}
