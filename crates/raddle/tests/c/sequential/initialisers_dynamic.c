// Automatic initialisers with side effects and in loops: every round starts afresh, with zero-filled rests.
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
struct triple { int a, b, c; };
struct big { int first; int many[100]; };
static int self(void) { int x = 5, y = x + 1, z = x * y; return z; }
int main(void) {
  for (int i = 0; i < 3; i++) {
    int a[4] = {next()};
    struct triple t = {.b = next()};
    struct big big = {i};
    printf("%d%d%d%d %d%d%d %d%d\n", a[0], a[1], a[2], a[3], t.a, t.b, t.c, big.first, big.many[50]);
    a[1] = a[3] = 9;
    t.a = t.c = 9;
    big.many[50] = 9;
  }
  int b = next(), c = b + next();
  printf("%d %d %d\n", b, c, self());
  int k = 0;
again:;
  int fresh[3] = {[1] = k};
  fresh[0] += 7;
  printf("%d%d%d ", fresh[0], fresh[1], fresh[2]);
  if (++k < 3) goto again;
  putchar('\n');
  struct triple copies[2] = {{1, 2, 3}}, *p = copies;
  struct triple other = *p, third = p[0].a ? copies[1] : other;
  printf("%d %d\n", other.c, third.a);
  char *names[2] = {"x"}, buffer[2][3] = {"ab"};
  printf("%d %s %d\n", names[1] == 0, buffer[0], buffer[1][0]);
  float f[3] = {1, 2};
  double d = f[0] / 3;
  long double l = d;
  printf("%d %.7f\n", f[2] == 0, (double)l);
  return calls;
}
