// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = -1;
  int (*print)(const char *, ...) = printf;
  print("abc%n", &n);
  assert(n == -1);
}
