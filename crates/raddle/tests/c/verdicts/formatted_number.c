// true
// expect: explore true, oc true, cegar slow, auto true
// expect:
// A number is as long as it has digits.
#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char text[8];
  int x = __VERIFIER_nondet_int();
  if (x < -99 || x > 120) return 0;
  int n = snprintf(text, sizeof text, "<%d>", x);
  assert(n >= 3 && n <= 5);
  assert(text[0] == '<' && text[n - 1] == '>' && text[n] == 0);
  assert((x < 0) == (text[1] == '-'));
  if (x == 42) assert(!strcmp(text, "<42>"));
  assert(printf("%d\n", x) == n - 1);
  return 0;
}
