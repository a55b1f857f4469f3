// Initialisers of unions: a later designator for another member replaces the first.
#include <stdio.h>
#include <string.h>
union u { int a; unsigned char b[8]; };
static union u s = {.a = -1, .b[0] = 1};
struct t { int k; union { char c; long l; struct { short x, y; } p; } v; int z; };
static struct t t1 = {1, {.l = 1l << 40}, 2}, t2 = {1, .v.p = {3, 4}, 5}, t3 = {.v = {'a'}, 7}, t4 = {.v.p.y = 9, .z = 1};
int main(void) {
  union u l = {.b = {1, 2, 3}};
  for (int i = 0; i < 8; i++) printf("%d ", s.b[i]);
  for (int i = 0; i < 8; i++) printf("%d ", l.b[i]);
  printf("\n%ld %d %d %d %d\n", t1.v.l, t2.v.p.y, t2.z, t3.v.c, t3.z);
  printf("%d %d %d\n", t4.v.p.x, t4.v.p.y, t4.z);
  union { float f; int i; } x = {1}, y = {.i = 1};
  printf("%x %g\n", x.i, y.f);
  return 0;
}
