// Declarators: pointers to arrays of functions and back, qualifiers, abstract declarators in casts and sizeof.
#include <stdio.h>
static int f0(void) { return 10; }
static int f1(void) { return 11; }
static int (*table[2])(void) = {f0, f1};
static int (*(*to_table)[2])(void) = &table;
static int (*(*get(void))[2])(void) { return to_table; }
static int *const volatile fixed_pointer = 0;
static const int *const *chain;
static char *(*names(int k))[2] { static char *n[3][2] = {{"a", "b"}, {"c", "d"}, {"e", "f"}}; return &n[k]; }
static long unsigned int long order = 5;
static int const short signed backwards = -3;
typedef int row[3];
static row rows[2] = {{1, 2, 3}, {4, 5, 6}};
static row *second(void) { return rows + 1; }
static int apply(int (*)(int (*)(void)), int (*)(void));
static int call(int g(void)) { return g() * 2; }
static int apply(int (*h)(int (*)(void)), int (*g)(void)) { return h(g); }
int main(void) {
  int x = 3, *p = &x, **pp = &p, a[2] = {7, 8}, (*pa)[2] = &a, f(int), (*pf)(int) = f, n = f(1);
  const int c = 5, *pc = &c;
  chain = &pc;
  printf("%d %d %d\n", (*to_table)[1](), (**to_table)(), (*(*get())[1])());
  printf("%s %s\n", (*names(2))[1], *names(1)[0]);
  printf("%d %d %d %llu %d\n", **pp, (*pa)[1], pf(5), order, backwards);
  printf("%d %d %d\n", (*second())[2], **chain, n);
  printf("%d %d\n", (int)sizeof(int (*(*)[2])(void)), (int)sizeof(row));
  printf("%d\n", ((int (*)(int))pf)(9));
  printf("%d %d\n", apply(call, f1), fixed_pointer == 0);
  int (((parens))) = 4, *(*(q)) = pp;
  return parens + *(*(q));
}
int f(int x) { return x * x; }
