// Scopes: shadowing in blocks, for loops, parameters; dangling else; empty statements; labels as names.
#include <stdio.h>
static int x = 1;
static int f(int x) { { int x = 3; x++; } return x; }
static int dangling(int a, int b) { if (a) if (b) return 1; else return 2; return 3; }
static int chain(int n) { if (n < 0) return -1; else if (n == 0) return 0; else if (n < 10) return 1; else return 2; }
static int same(int same) { same: if (same < 5) { same++; goto same; } return same; }
struct x { int x; };
enum { y = 7 };
int main(void) {
  printf("%d ", x);
  int x = x = 2;
  { int x = 10; { int x = 20; x++; } printf("%d ", x); x = 11; }
  for (int x = 0; x < 1; x++) { int x = 30; printf("%d ", x); }
  printf("%d %d\n", x, f(8));
  { extern int puts(const char *); struct x x = {5}; printf("%d ", x.x); struct x *p = &x; p->x = sizeof(struct x); printf("%d\n", x.x); }
  printf("%d %d %d %d\n", dangling(1, 1), dangling(1, 0), dangling(0, 1), y);
  printf("%d %d %d %d\n", chain(-5), chain(0), chain(5), chain(50));
  ;;;
  {}
  if (x) ; else x = 5;
  { enum { y2 = y + 1 }; int y = y2; printf("%d %d\n", y, y2); }
  if (sizeof(struct later { int a, b; }) == 8) { struct later l = {1, 2}; printf("%d\n", l.b); }
  int a = 1, b = a + 1, *c = &b, d[2] = {b, *c + 1};
  { int a = 100; { int b = a + 1; *c = b; } }
  printf("%d %d %d\n", b, d[0], d[1]);
  do int_like: x++; while (x < 5);
  return same(1) + x;
}
