// cc: -std=gnu89
/* K&R definitions, implicit int, unprototyped calls, default promotions of arguments. */
extern int printf();
static counter;
const limit = 3;
add(a, b)
  int a, b;
{
  return a + b;
}
double scale(x, by, c)
  float x;
  short by;
  char c;
{
  counter += c;
  return x * by;
}
unsigned later();
sum(p, n)
  int *p;
{
  auto total = 0;
  register i;
  for (i = 0; i < n; i++) total += p[i];
  return total;
}
static int (*handler)();
struct pair { int a, b; };
swapped(p)
  struct pair p;
{
  return p.b * 10 + p.a;
}
main()
{
  int a[4] = {1, 2, 3, 4};
  struct pair p = {3, 4};
  handler = add;
  printf("%d %d %d\n", add(2, 3), (*handler)(4, 5), handler(6, 7));
  printf("%g ", scale(1.5, 4, 'a'));
  printf("%d\n", counter);
  printf("%u %d %d\n", later(1), sum(a, limit), swapped(p));
  undeclared(a);
  return a[0];
}
unsigned later(x) int x; { return x - 2; }
undeclared(p) int *p; { *p = 77; }
