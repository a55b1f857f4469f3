// Records that contain unions, arrays and bit-fields, copied and passed by value.
#include <stdio.h>
struct flags { unsigned a : 3, b : 10; int c : 5; };
union any { int i; double d; char s[12]; struct flags f; };
struct variant { char kind; union any u; struct flags flags[2]; short tail; };
static struct variant text(const char *s) {
  struct variant v = {'s'};
  int i = 0;
  while ((v.u.s[i] = s[i])) i++;
  v.tail = i;
  return v;
}
static struct variant number(double d) { return (struct variant){.kind = 'd', .u.d = d, .flags[1] = {1, 1000, -7}}; }
static void show(struct variant v) {
  switch (v.kind) {
  case 's': printf("%s %d\n", v.u.s, v.tail); break;
  case 'd': printf("%g %d %d %d\n", v.u.d, v.flags[1].a, v.flags[1].b, v.flags[1].c); break;
  default: printf("%d %d %d\n", v.u.f.a, v.u.f.b, v.u.f.c);
  }
}
static union any pick(int which) { union any u; if (which) u.d = 2.5; else u.i = 7; return u; }
static int total(union any u, struct flags f) { return u.i + f.b; }
int main(void) {
  struct variant v = text("union"), w = number(1.25), x;
  show(v); show(w);
  x = v;
  x.u.s[0] = 'U';
  show(v); show(x);
  x.kind = 0;
  x.u.f = w.flags[1];
  x.u.f.a += 9;
  show(x);
  w.flags[0] = w.flags[1];
  w.flags[0].b = 3;
  printf("%d %d\n", w.flags[0].b, w.flags[1].b);
  union any u = pick(1), array[2] = {pick(0), u};
  printf("%g %d %g\n", u.d, array[0].i, array[1].d);
  printf("%d %d\n", total(pick(0), w.flags[1]), (int)sizeof(struct variant));
  struct flags f = {7, 1023, 15}, *p = &f;
  f = *p;
  p->c++;
  printf("%d %d %d\n", f.a, f.b, f.c);
  return pick(0).i;
}
