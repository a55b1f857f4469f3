#include <stdio.h>
#include <stdlib.h>
int real(void) { return 5; }
static int other(void) __attribute__((weakref("real")));
static void late(void) { printf("late\n"); }
__attribute__((destructor)) static void last(void) { printf("last\n"); atexit(late); }
int main(void) {
  char *p = malloc(3);
  printf("%d %d\n", other(), realloc(p, 0) == 0);
  int first = printf("ab%%\n"), second = printf("ab\0cd\n"), third = putchar('\n');
  printf("%d %d %d\n", first, second, third);
  return 0;
}
