// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// The result is the length of what was printed.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5;
  assert(printf("abc") == 3);
  assert(printf("%d", n) == 1);
  assert(fputc('x', stderr) == 'x');
  assert(fprintf(stderr, "%3d\n", n) == 4);
  assert(puts("text") >= 0);
  return 0;
}
