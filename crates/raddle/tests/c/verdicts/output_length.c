// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// expect:
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5;
  assert(printf("abc") == 3);
  assert(printf("%d", n) >= 0);
  assert(fputc('x', stderr) == 'x');
  assert(fprintf(stderr, "%d\n", n) >= 0);
  return 0;
}
