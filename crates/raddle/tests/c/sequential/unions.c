// Unions: members share bytes; reading another member than the last written one; unions in structs and arrays.
#include <stdio.h>
#include <string.h>
union number { int i; unsigned u; float f; unsigned char bytes[8]; double d; long long l; };
struct tagged { enum { INT, DOUBLE, TEXT } kind; union { int i; double d; const char *s; }; };
static void show(struct tagged t) {
  switch (t.kind) {
  case INT: printf("int %d\n", t.i); break;
  case DOUBLE: printf("double %g\n", t.d); break;
  case TEXT: printf("text %s\n", t.s); break;
  }
}
static union number pass(union number n) { n.bytes[1] = 0xff; return n; }
int main(void) {
  union number n;
  n.l = 0;
  n.f = 1.0f;
  printf("%x %d %lld\n", n.u, n.i, n.l);
  n.d = -2.0;
  for (int i = 0; i < 8; i++) printf("%02x", n.bytes[i]);
  printf(" %llx\n", n.l);
  n.bytes[0] = 1;
  printf("%lld\n", n.l);
  union number m = pass(n), *p = &m;
  printf("%llx %d\n", m.l, p->bytes[1]);
  union number a[2] = {{.d = 3.5}, {7}};
  printf("%x %d %g\n", a[0].u, a[1].i, a[0].d);
  struct tagged t[3] = {{INT, {5}}, {DOUBLE, {.d = 2.5}}, {.kind = TEXT, .s = "hi"}};
  for (int i = 0; i < 3; i++) show(t[i]);
  union { struct { int kind; int a; } x; struct { int kind; char c; } y; } common = {{1, 2}};
  common.y.kind = 9;
  printf("%d %d\n", common.x.kind, (int)sizeof(union number));
  float g = 0.1f;
  unsigned bits;
  memcpy(&bits, &g, sizeof bits);
  printf("%x\n", bits);
  return 0;
}
