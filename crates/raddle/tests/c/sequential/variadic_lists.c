// va_list passed on, passed by pointer, copied, restarted, kept in structs; recursion over a list.
#include <stdio.h>
#include <stdarg.h>
static int vsum(int n, va_list l) { int s = 0; while (n-- > 0) s += va_arg(l, int); return s; }
static int sum(int n, ...) { va_list l; va_start(l, n); int s = vsum(n, l); va_end(l); return s; }
static int twice(int n, ...) {
  va_list l, copy;
  va_start(l, n);
  va_copy(copy, l);
  int a = vsum(n, l), b = 0;
  for (int i = 0; i < n; i++) b = b * 10 + va_arg(copy, int);
  va_end(copy);
  va_end(l);
  return a * 1000 + b;
}
static int take(va_list *l) { return va_arg(*l, int); }
static int by_pointer(int n, ...) {
  va_list l;
  va_start(l, n);
  int r = take(&l) * 100;
  r += va_arg(l, int);
  va_end(l);
  va_start(l, n);
  r = r * 10 + va_arg(l, int);
  va_end(l);
  return r;
}
struct reader { int left; va_list *list; };
static int next(struct reader *r) { return r->left-- > 0 ? va_arg(*r->list, int) : -1; }
static int read_all(int n, ...) {
  va_list l;
  va_start(l, n);
  struct reader r = {n, &l};
  int all = 0, x;
  while ((x = next(&r)) >= 0) all = all * 10 + x;
  va_end(l);
  return all;
}
static int deep(int n, va_list *l) { return n ? va_arg(*l, int) + 10 * deep(n - 1, l) : 0; }
static int reversed(int n, ...) { va_list l; va_start(l, n); int r = deep(n, &l); va_end(l); return r; }
static int (*indirect)(int, ...) = sum;
int main(void) {
  printf("%d %d\n", sum(3, 10, 20, 30), twice(3, 1, 2, 3));
  printf("%d %d %d\n", by_pointer(3, 4, 5, 6), read_all(4, 1, 2, 3, 4), reversed(3, 1, 2, 3));
  printf("%d %d\n", indirect(2, 7, 8), (1 ? sum : twice)(1, 9));
  return sum(1, 99);
}
