// Structs through calls, pointers to functions, conditionals and chains of calls.
#include <stdio.h>
struct s { int a; char b; };
struct n { struct s s[2]; long l; };
static int f(struct s s, ...) { return s.a; }
static struct n g(struct n n, struct s *out) { *out = n.s[1]; n.s[0].a = 100; return n; }
static struct s id(struct s s) { return s; }
static struct s chain(int d, struct s s) { s.a += d; return d ? chain(d - 1, s) : s; }
typedef struct s (*fp)(struct s);
static fp get(void) { return id; }
int main(void) {
  struct s x = {1, 'a'}, y;
  struct n n = {{{1, 'x'}, {2, 'y'}}, 9}, m;
  m = g(n, &y);
  printf("%d %d %d %c\n", n.s[0].a, m.s[0].a, y.a, y.b);
  printf("%d %d %d\n", id(x).a, get()(y).a, chain(4, x).a);
  fp t[2] = {id, get()};
  y = t[1]((struct s){7, 'q'});
  printf("%d %c %d\n", y.a, y.b, f(y, 1, 2.0));
  struct s arr[3] = {id(x), id(y)}, *p = arr;
  *p = id(*(p + 1));
  p[2] = p[0] = id((struct s){.b = 'k'});
  printf("%d %c %c\n", arr[0].a, arr[2].b, arr[0].b);
  n.s[1] = *(&n.s[0]);
  n.s[0] = (n.s[1].a = 55, n.s[1]);
  printf("%d %d\n", n.s[0].a, n.s[1].a);
  struct s const k = id(x); struct s volatile v = {3, 'v'}; struct s copy = v;
  printf("%d %c %d\n", k.a, copy.b, (int)sizeof id(x));
  if (id(x).a && id(x).b == 'a') puts("ok");
  x = x.a ? y : x;
  for (struct s i = {0}; i.a < 3; i = (struct s){i.a + 1}) printf("%d", i.a);
  putchar('\n');
  return id(id(id(x))).a; }
