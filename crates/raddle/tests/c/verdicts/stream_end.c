// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// A stream stays at its end until that is cleared or a character is pushed back.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int c, n = 0;
  assert(stdin && stdin != stdout && fileno(stdin) == 0 && !feof(stdin));
  while (n < 2 && (c = getchar()) != EOF) n++;
  if (c == EOF) assert(feof(stdin) || ferror(stdin));
  if (feof(stdin)) {
    assert(fgetc(stdin) == EOF && feof(stdin));
    assert(ungetc('x', stdin) == 'x' && !feof(stdin));
    assert(getc(stdin) == 'x');
  }
  clearerr(stdin);
  assert(!feof(stdin) && !ferror(stdin));
  return 0;
}
