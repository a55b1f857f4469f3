#include <stdio.h>
#include <stdlib.h>
static void one(void) { printf("one\n"); }
static void two(void) { printf("two\n"); }
int main(void) {
  atexit(one);
  atexit(two);
  int n = printf("abc\n") + printf("%%%c", 'x');
  fprintf(stderr, "not looked at %d\n", n);
  fputs("nor this\n", stderr);
  return n;
}
