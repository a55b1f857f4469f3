// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// The input may be a number that the program does not expect.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = 0;
  if (scanf("%d", &x) != 1) return 0;
  assert(x != 42);
  return 0;
}
