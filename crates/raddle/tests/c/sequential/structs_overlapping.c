// Struct assignments whose right side depends on what they overwrite; swaps; structs in expressions and conditions.
#include <stdio.h>
struct pair { int a, b; };
struct node { struct pair p; struct node *next; };
static struct pair swapped(const struct pair *p) { return (struct pair){p->b, p->a}; }
static struct pair change(struct pair *p) { struct pair old = *p; p->a = 100; return old; }
static struct pair make(int a, int b) { struct pair p = {a, b}; return p; }
static int diff(struct pair x, struct pair y) { return x.a - y.a; }
int main(void) {
  struct pair p = {1, 2};
  p = swapped(&p);
  printf("%d %d\n", p.a, p.b);
  p = (struct pair){p.b, p.a};
  printf("%d %d\n", p.a, p.b);
  p = make(p.b * 10, p.a * 10);
  printf("%d %d\n", p.a, p.b);
  struct pair q = change(&p);
  printf("%d %d\n", q.a, p.a);
  p = change(&p);
  printf("%d %d\n", p.a, p.b);
  struct pair array[2] = {{1, 2}, {3, 4}}, t;
  t = array[0], array[0] = array[1], array[1] = t;
  printf("%d %d\n", array[0].a, array[1].b);
  array[0] = array[1] = (struct pair){7, 8};
  array[1].a++;
  printf("%d %d\n", array[0].a, array[1].a);
  struct node n2 = {{5, 6}, 0}, n1 = {{3, 4}, &n2};
  n1 = *n1.next;
  printf("%d %d\n", n1.p.a, n1.next == 0);
  printf("%d\n", diff(make(9, 0), make(4, 0)));
  struct pair *pp = array;
  (*pp++).b = 20;
  *pp = (pp[-1].b == 20) ? make(1, 1) : make(2, 2);
  printf("%d %d\n", array[0].b, pp->a);
  struct pair r = (p.a > 5, make(3, 3));
  r.a = make(r.a + 1, 0).a;
  p = r.a == 4 ? q : r;
  return p.a + r.a + (r = q).b;
}
