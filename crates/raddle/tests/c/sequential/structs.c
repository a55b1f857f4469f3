// Structs: nesting, padding, anonymous members, self-reference, arrays of structs, incomplete types completed later.
#include <stdio.h>
#include <stddef.h>
struct later;
static int peek(struct later *l);
struct later { char c; double d; short s; };
static int peek(struct later *l) { return l->s; }
struct outer {
  char tag;
  struct inner { int x, y; } in;
  union { int i; float f; struct { unsigned char low, high; }; };
  struct { short a, b; };
  struct outer *self;
  int tail[2][3];
} o, os[2];
struct empty {};
struct { int unnamed; } lone = {4};
struct __attribute__((packed)) packed { char c; int i; short s; };
int main(void) {
  struct later l = {1, 2.5, 3};
  struct outer *p = &o;
  o.self = &os[1];
  p->self->in.y = 8;
  p->self->tail[1][2] = 9;
  o.i = 0x1234;
  o.b = 7;
  printf("%d %d %d\n", (int)sizeof(struct later), (int)offsetof(struct later, d), (int)offsetof(struct later, s));
  printf("%d %d %d\n", (int)sizeof o, (int)offsetof(struct outer, self), (int)offsetof(struct outer, tail[1][2]));
  printf("%d %d %d %d\n", o.low, o.high, p->b, p->a);
  printf("%d %d %d\n", os[1].in.y, (*(o.self)).tail[1][2], o.self->tail[0][5]);
  printf("%d %d\n", (int)sizeof(struct empty), (int)sizeof(struct packed));
  struct packed k = {1, 0x01020304, 5};
  struct packed *q = &k;
  q->i++;
  printf("%x %d %d\n", q->i, k.s, ((char *)q)[1]);
  { struct later { int z; } l = {5}; printf("%d %d\n", l.z, (int)sizeof(struct later)); }
  { struct inner in = {3, 4}; printf("%d\n", in.x * in.y); }
  return peek(&l) + lone.unnamed;
}
