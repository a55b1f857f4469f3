// typeof of types, expressions and arrays; __auto_type; types_compatible_p, choose_expr, constant_p.
#include <stdio.h>
#define swap(a, b) do { typeof(a) t = (a); (a) = (b); (b) = t; } while (0)
struct s { int x; char name[5]; };
static typeof(int *) pointer;
static typeof(pointer) *to_pointer = &pointer;
typeof(struct s) make(int x) { return (struct s){x, "made"}; }
typeof(int (int)) twice;
int twice(int x) { return 2 * x; }
int main(void) {
  int a = 1, b = 2, calls = 0;
  swap(a, b);
  double d = 1.5, e = 2.5;
  swap(d, e);
  printf("%d %d %g %g\n", a, b, d, e);
  typeof(a++) same = 9;
  __typeof__(make(1)) s = make(same);
  typeof(s.name) name = "abcd";
  typeof(&s) p = &s;
  typeof(*p) copy = *p;
  typeof(typeof(char *)[3]) texts = {"x", "y", "z"};
  printf("%d %s %s %d %s\n", a, copy.name, name, p->x, texts[2]);
  __auto_type q = &copy;
  __auto_type wide = 1ll << 35;
  __auto_type f = twice;
  const __auto_type c = 'c';
  q->x = 77;
  printf("%d %lld %d %d\n", copy.x, wide, f(8), (int)sizeof c);
  int n = 4;
  typeof(int[n]) v;
  n = 9;
  printf("%d\n", (int)sizeof v);
  *to_pointer = &a;
  *pointer = 31;
  printf("%d %d %d\n", __builtin_types_compatible_p(int, typeof(a)), __builtin_types_compatible_p(int, long),
         __builtin_types_compatible_p(const int, int));
  printf("%d %d\n", __builtin_types_compatible_p(int[], int[5]), __builtin_types_compatible_p(typeof(&a), char *));
  printf("%d %s\n", __builtin_choose_expr(1, 5, "text"), __builtin_choose_expr(sizeof(int) == 8, calls++, "chosen"));
  printf("%d %d %d\n", __builtin_constant_p(3 + 4), __builtin_constant_p(calls + a), calls);
  typeof(a < b) truth = 3;
  typeof(0 ? (char)1 : (short)2) promoted = 70000;
  return truth + (promoted == 70000) + a;
}
