// Function pointers: tables, in structs, as arguments and results, comparison, pointers to pointers, through void pointers.
#include <stdio.h>
#include <stdlib.h>
typedef int unary(int);
static int inc(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int negate(int x) { return -x; }
static unary *const table[] = {inc, twice, negate};
struct ops { const char *name; int (*run)(int); struct { void (*done)(struct ops *); } hooks; int calls; };
static void finish(struct ops *o) { o->calls++; }
static int apply(int f(int), int x) { return f(x); }
static unary *choose(int which) { return which ? twice : &inc; }
static int (*pick(const char *s))(int) { return table[s[0] - '0']; }
static int (*(*chooser)(int))(int) = choose;
static int fold(int (*f)(int, int), int n, const int *a) { int r = *a; while (--n) r = f(r, *++a); return r; }
static int max(int a, int b) { return a > b ? a : b; }
static void nothing(void) {}
int main(void) {
  int x = 5;
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) x = table[i](x);
  printf("%d %d %d\n", x, apply(twice, 4), apply(choose(0), 4));
  printf("%d %d %d\n", pick("2")(9), (*pick)("1")(9), chooser(1)(6));
  struct ops o = {"double", twice, {finish}, 0};
  o.hooks.done(&o);
  (*o.hooks.done)(&o);
  (**o.hooks.done)(&o);
  printf("%s %d %d\n", o.name, o.run(21), o.calls);
  int a[] = {3, 9, 2};
  printf("%d\n", fold(max, 3, a));
  unary *f = inc, **pf = &f;
  *pf = negate;
  printf("%d %d %d %d\n", (*pf)(3), f == negate, f != inc, f == 0);
  void *hidden = (void *)twice;
  long number = (long)hidden;
  printf("%d %d\n", ((int (*)(int))hidden)(8), ((unary *)number)(9));
  void (*v)(void) = nothing;
  v ? v() : exit(3);
  int (*rows[2][2])(int) = {{inc, twice}, {negate, inc}};
  printf("%d\n", rows[1][0](rows[0][1](rows[0][0](1))));
  return (x > 0 ? inc : negate)(x);
}
