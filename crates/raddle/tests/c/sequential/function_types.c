// Unprototyped calls, compatible but differing function types, discarded results, functions as parameters.
#include <stdio.h>
#include <stdlib.h>
static int unprototyped();
static int flexible() { return 5; }
static int takes_pointer(int *p) { return *p; }
static int takes_const(const int *p) { return *p + 1; }
static long generic(void *p) { return *(int *)p; }
static void *identity(void *p) { return p; }
static unsigned as_unsigned(unsigned u) { return u / 2; }
static int with_array(int a[2], int f(int), char c[]) { return f(a[1]) + c[0]; }
static int triple(int x) { return 3 * x; }
static int by_char(char c) { return c; }
static float by_float(float f) { return f * 2; }
static short narrow(int x) { return x; }
static _Bool truth(int x) { return x; }
static unsigned char byte(void) { return 511; }
static void nothing(void) { return; }
static int noreturn_value(int x) { if (x) return x; exit(3); }
struct s { int x; };
static struct s record(int x) { return (struct s){x}; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void sort(void *base, int n, int (*cmp)(const void *, const void *)) {
  int *a = base;
  for (int i = 1; i < n; i++)
    for (int j = i; j && cmp(a + j - 1, a + j) > 0; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; }
}
int main(void) {
  int n = 7, a[] = {5, 1, 4, 2};
  printf("%d %d\n", unprototyped(3, 4), flexible());
  int (*f)(int *) = takes_pointer;
  printf("%d %d\n", f(&n), ((int (*)(int *))takes_const)(&n));
  void *(*g)(void *) = identity;
  printf("%d %ld\n", *(int *)g(&n), generic(&n));
  printf("%u %d\n", as_unsigned(-2), with_array(a, triple, "A"));
  printf("%d %g %d %d %d\n", by_char(300), by_float(1.1), narrow(70000), truth(256), byte());
  int (*old)() = unprototyped;
  printf("%d\n", old(5, 6));
  (void)triple(1);
  triple(2);
  nothing();
  record(3);
  printf("%d %d\n", record(8).x, noreturn_value(9));
  sort(a, 4, compare);
  printf("%d%d%d%d\n", a[0], a[1], a[2], a[3]);
  int (*same)(int x), (*const again)(int) = triple;
  same = *again;
  printf("%d %d\n", (***same)(5), (&triple)(6));
  return same(again(2));
}
static int unprototyped(a, b) int a, b; { return a * 10 + b; }
