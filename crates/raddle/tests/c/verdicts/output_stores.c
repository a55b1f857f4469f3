// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// `%n` stores how much was printed before, whatever is done with the text.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int n = 5;
  short m = 7;
  fprintf(stderr, "ab%%c%n", &n);
  assert(n == 4);
  printf("%d%hn.", 12345, &m);
  assert(m == 5);
  assert(printf("%s%n!", "three", &n) == 6 && n == 5);
  return 0;
}
