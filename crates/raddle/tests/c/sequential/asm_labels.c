#include <stdio.h>
int real_x = 5;
extern int other asm("real_x");
static int *address(void) { return &other; }
int twice(int n) asm("double_of");
int twice(int n) { return 2 * n; }
extern int double_of(int n);
extern int nowhere(void) __attribute__((weak));
extern int later asm("defined_below");
int read_later(void) { return later; }
int defined_below = 11;
int main(void) {
  other = 9;
  printf("%d %d %d %d\n", real_x, address() == &real_x, double_of(21), read_later());
  if (nowhere) printf("%d\n", nowhere());
  int (*f)(void) = nowhere;
  printf("%d\n", f == 0);
  return 0;
}
