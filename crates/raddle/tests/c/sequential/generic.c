// _Generic: promotion, qualifiers, pointers, arrays, default; only the chosen branch is evaluated.
#include <stdio.h>
#define name(x) _Generic((x), int: "int", unsigned: "unsigned", long: "long", char: "char", signed char: "schar", \
  double: "double", float: "float", char *: "char *", const char *: "const char *", void *: "void *", \
  struct s: "struct s", int (*)(int): "function", long double: "long double", unsigned long: "ulong", \
  _Bool: "bool", long long: "long long", int (*)[2]: "row", unsigned char: "uchar", default: "other")
struct s { int x; };
static int f(int x) { return x; }
#define cube(x) _Generic((x), double: cube_d, default: cube_i)(x)
static int cube_i(int x) { return x * x * x; }
static double cube_d(double x) { return x * x * x; }
int main(void) {
  char c = 1;
  const int k = 2;
  short h = 3;
  int a[2][2];
  struct s s;
  unsigned char u = 1;
  puts(name(c)); puts(name(k)); puts(name(h)); puts(name(+c)); puts(name('x'));
  puts(name(1.0f)); puts(name(1.0)); puts(name(1.0L)); puts(name("lit")); puts(name((const char *)0));
  puts(name(a)); puts(name(s)); puts(name(f)); puts(name(&f)); puts(name((void *)0));
  puts(name(sizeof c)); puts(name(1 == 1)); puts(name((_Bool)1)); puts(name(1ll << 3)); puts(name(2147483648));
  puts(name(0xffffffff)); puts(name(u)); puts(name(-u)); puts(name(c ? 1 : 2u)); puts(name(1.0f + 1));
  puts(name(1l + 1u)); puts(name((char)1 + (char)1)); puts(name(k ? "a" : 0)); puts(name(&a[0]));
  printf("%d %g\n", cube(3), cube(1.5));
  int n = 0;
  int r = _Generic(n++, int: 5, default: n++);
  return r + n;
}
