// true
// expect: explore true, oc true, cegar slow, auto true
// expect:
// `%n` stores how much was printed before, whatever is done with the text.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
static int list(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vfprintf(stderr, format, arguments);
  va_end(arguments);
  return length;
}
int main(void) {
  int n = 5;
  short m = 7;
  const char *format = "%d%hn.";
  fprintf(stderr, "ab%%c%n", &n);
  assert(n == 4);
  printf(format, 12345, &m);
  assert(m == 5);
  assert(list("%s%n!", "three", &n) == 6 && n == 5);
  return 0;
}
