// Typedefs of scalars, arrays, functions and pointers; a typedef name hidden by a variable.
#include <stdio.h>
typedef int number, *number_pointer, numbers[3];
typedef unsigned long long const big;
typedef int binary(int, int);
typedef binary *operation;
typedef struct node node;
struct node { int value; node *next; };
typedef int (*table[2])(int, int);
binary add, sub;
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
typedef char T;
static int shadow(void) {
  int T = 5;
  return T * sizeof T;
}
static int again(T T) { return T + 1; }
static int inner(void) {
  typedef long T;
  { typedef short T; T x = 70000; if (x != 4464) return -1; }
  T y = 1l << 40;
  return sizeof(T) == sizeof y;
}
struct shares { T T; };
int main(void) {
  number n = 3;
  number_pointer p = &n;
  numbers a = {1, 2, 3};
  big b = -1;
  operation op = add;
  table t = {add, &sub};
  node second = {2, 0}, first = {1, &second};
  struct shares s = {'x'};
  *p += a[2];
  printf("%d %d %llu %d %d\n", n, (int)sizeof(numbers), b, op(4, 5), t[1](4, 5));
  printf("%d %d\n", first.next->value, shadow());
  printf("%d %d %c\n", again('a'), inner(), s.T);
  return (*t[0])(40, 2);
}
