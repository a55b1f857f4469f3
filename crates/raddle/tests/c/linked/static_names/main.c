// Names with internal linkage are apart in each file, also static locals and typedefs, enums and struct tags.
#include <stdio.h>
static int value = 1;
static int helper(void) { return value * 10; }
typedef int number;
enum { SIZE = 3 };
struct s { int a; };
int other(void);
int other_value(void);
static int table[SIZE] = {1, 2, 3};
static int next(void) { static int n; return ++n; }
int other_next(void);
int main(void) {
  value++;
  struct s s = {4};
  number n = sizeof(number);
  int first = helper(), second = other();
  printf("%d %d %d %d\n", first, second, value, other_value());
  printf("%d %d %d %d\n", s.a, n, table[SIZE - 1], (int)sizeof table);
  next();
  int a = next(), b = other_next();
  printf("%d %d\n", a, b);
  return 0;
}
