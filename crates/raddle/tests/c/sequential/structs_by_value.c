// Structs passed, returned and assigned by value: copies are independent, whatever their size.
#include <stdio.h>
struct small { int a; };
struct medium { long a, b; char c; };
struct large { int a[50]; struct medium m[2]; };
struct text { char s[16]; int n; };
static struct small inc(struct small s) { s.a++; return s; }
static struct medium swap(struct medium m) { return (struct medium){m.b, m.a, m.c}; }
static struct large fill(int n) { struct large l = {{0}}; for (int i = 0; i < 50; i++) l.a[i] = n * i; l.m[1].b = n; return l; }
static int sum(struct large l) { int s = 0; for (int i = 0; i < 50; i++) { s += l.a[i]; l.a[i] = -1; } return s + l.m[1].b; }
static struct large *keep(struct large *p, struct large v) { *p = v; return p; }
static struct text add(struct text t, char c) { t.s[t.n++] = c; t.s[t.n] = 0; return t; }
static struct small nest(struct small a, struct small b) { return a.a > b.a ? inc(a) : nest(inc(a), b); }
static int many(char a, struct small b, double c, struct large d, long e, struct medium f) { return a + b.a + c + d.a[1] + e + f.b; }
int main(void) {
  struct small s = {1}, t = s;
  t = inc(inc(t));
  printf("%d %d %d\n", s.a, t.a, inc(s).a);
  struct medium m = {1, 2, 'c'};
  m = swap(m);
  printf("%ld %ld %c %ld\n", m.a, m.b, m.c, swap(m).a);
  struct large l = fill(3), copy, other;
  printf("%d %d\n", sum(l), l.a[49]);
  copy = l;
  copy.a[1] = 1000;
  printf("%d %d %d\n", l.a[1], copy.a[1], sum(fill(1)));
  other = copy = fill(2);
  printf("%d %d\n", other.a[2], keep(&copy, l)->a[2]);
  printf("%d\n", fill(7).a[2] + fill(8).m[1].b);
  struct text e = {"", 0}, f = add(add(add(e, 'x'), 'y'), 'z');
  printf("%s %d %d\n", f.s, f.n, e.n);
  printf("%d %d\n", nest((struct small){1}, (struct small){4}).a, many(1, s, 2.5, l, 4, m));
  struct medium array[3] = {{1}, {2}, {3}};
  array[0] = array[2];
  array[2].a = 9;
  struct medium *p = array;
  p++;
  l = l;
  struct { struct small in; struct { struct small deep[2]; } x; } n = {{1}, {{{2}, {3}}}}, c = n;
  c.x.deep[1] = c.in;
  printf("%ld %d %d\n", array[0].a, n.x.deep[1].a, c.x.deep[1].a);
  return inc(inc((struct small){40})).a;
}
