// Variadic functions: ints, doubles, long longs, pointers, structs, mixed, promoted arguments, none at all.
#include <stdio.h>
#include <stdarg.h>
struct pair { int a, b; };
struct big { long x[5]; };
struct tiny { char c; };
static int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
static double average(int n, ...) { va_list l; double s = 0; va_start(l, n); for (int i = 0; i < n; i++) s += va_arg(l, double); va_end(l); return s / n; }
static void mixed(const char *kinds, ...) {
  va_list l;
  va_start(l, kinds);
  for (; *kinds; kinds++)
    switch (*kinds) {
    case 'i': printf("%d ", va_arg(l, int)); break;
    case 'u': printf("%u ", va_arg(l, unsigned)); break;
    case 'L': printf("%lld ", va_arg(l, long long)); break;
    case 'd': printf("%g ", va_arg(l, double)); break;
    case 'D': printf("%Lg ", va_arg(l, long double)); break;
    case 's': printf("%s ", va_arg(l, char *)); break;
    case 'p': { struct pair p = va_arg(l, struct pair); printf("(%d,%d) ", p.a, p.b); break; }
    case 'b': printf("%ld ", va_arg(l, struct big).x[4]); break;
    case 't': printf("%c ", va_arg(l, struct tiny).c); break;
    case 'f': printf("%d ", va_arg(l, int (*)(int, ...))(2, 30, 12)); break;
    case '*': *va_arg(l, int *) += 1; break;
    }
  va_end(l);
  putchar('\n');
}
int main(void) {
  char c = -1;
  short s = -2;
  float f = 0.5f;
  unsigned char uc = 255;
  _Bool b = 1;
  int n = 4;
  printf("%d %d %d\n", sum(0), sum(3, 1, 2, 3), sum(5, c, s, uc, b, 'a'));
  printf("%g\n", average(3, 1.0, f, 2.5));
  mixed("iLdsi", 1, 1ll << 40, 2.5, "text", -3);
  mixed("pibtLd", (struct pair){1, 2}, 3, (struct big){{1, 2, 3, 4, 5}}, (struct tiny){'t'}, -1ll, f);
  mixed("uDi*fi", 4000000000u, 1.25L, 7, &n, sum, n);
  mixed("diLdiLdiLdiLdiLdiLdiL", .5, 1, 2ll, .25, 3, 4ll, .75, 5, 6ll, 1.5, 7, 8ll, 2.5, 9, 10ll, 3.5, 11, 12ll, 4.5, 13, 14ll);
  return sum(2, n, sum(1, 3));
}
