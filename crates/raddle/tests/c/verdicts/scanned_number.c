// true
// expect: explore true, oc true, cegar slow, auto true
// expect:
// Two characters are no number, or one that two characters can say.
#include <assert.h>
#include <stdio.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  char text[3] = {0};
  text[0] = __VERIFIER_nondet_uchar();
  text[1] = __VERIFIER_nondet_uchar();
  int x = -5, n = sscanf(text, "%d", &x);
  assert(n == 1 ? x >= -9 && x <= 99 : x == -5);
  assert(n >= -1 && n <= 1 && (text[0] != 0 || n == -1));
  if (text[0] == '4' && text[1] == '2') assert(n == 1 && x == 42);
  return 0;
}
