// Structs and unions passed and returned by value between files that each declare them.
#include <stdio.h>
struct point { int x, y; };
typedef struct { double d; char tag[4]; } box;
union value { int i; float f; };
struct list { int n; struct list *next; };
struct point move(struct point p, int by);
box wrap(double d);
double unwrap(const box *b);
union value as_float(float f);
int total(const struct list *l);
struct point (*mover(void))(struct point, int);
int main(void) {
  struct point p = move((struct point){1, 2}, 10);
  box b = wrap(2.5), *q = &b;
  struct list c = {3, 0}, a = {4, &c};
  printf("%d %d %g %s\n", p.x, p.y, unwrap(q), b.tag);
  printf("%x %d\n", as_float(1.0f).i, total(&a));
  printf("%d\n", mover()(p, 5).x);
  return wrap(7).d;
}
