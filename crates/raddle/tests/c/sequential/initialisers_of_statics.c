// Static objects of every kind, pointing to each other.
#include <stdio.h>
struct node { int v; struct node *l, *r; };
static struct node leaf1 = {1}, leaf2 = {2, 0, 0};
static struct node root = {3, &leaf1, &leaf2};
static struct node *const path[] = {&root, &leaf2};
static int matrix[2][2][2] = {{{1, 2}, {3}}, {{[1] = 4}, {5, 6}}};
static int *rows[2] = {matrix[0][1], &matrix[1][1][0]};
static int (*plane)[2] = matrix[1];
static char bufs[3][4] = {"abc", "de"};
static char *ends[] = {bufs[0] + 2, &bufs[1][1], bufs[2]};
static struct { struct { char *name; int (*f)(void); } e[2]; int n; } reg = {{{"one"}, {.name = "two"}}, 2};
static const struct { unsigned char r, g, b; } colours[] = {{255, 0, 0}, {0, 255}, [3] = {1, 2, 3}};
static union { int i; struct { char a, b; } s; } un[2] = {{5}, {.s = {1, 2}}};
static long double lds[2] = {1.5L, -2.25L};
static float fs[] = {1, 2.5, -0.0};
static _Bool bs[3] = {5, 0, -1};
static long long ll = -1, mask = ~0ull << 40;
static int fwd(void); static int (*pf)(void) = fwd, (**ppf)(void) = &pf;
static int fwd(void) { return 42; }
static void *self = &self;
static const char text[] = "multi" "part", *const ptext = text + 5;
static __int128 i128 = (__int128)1 << 100;
static struct { int a; struct { int b[2]; } c[2]; } deep = {1, {{{2, 3}}, {{4}}}};
static struct { unsigned a : 3; unsigned : 0; int b : 7; _Bool c : 1; } bits[2] = {{7, -1, 1}, {.b = 60}};
int main(void) {
  printf("%d %d %d\n", path[0]->l->v, path[1]->v, root.r->l == 0);
  printf("%d %d %d %d\n", *rows[0], rows[1][1], plane[0][1], matrix[0][1][1]);
  printf("%c %c %d\n", *ends[0], *ends[1], *ends[2]);
  printf("%s %d %d\n", reg.e[1].name, reg.e[0].f == 0, reg.n);
  printf("%zu %d %d\n", sizeof colours / sizeof *colours, colours[1].g, colours[3].b);
  printf("%d %d %Lg %g %d%d%d\n", un[0].i, un[1].s.b, lds[1], fs[1], bs[0], bs[1], bs[2]);
  printf("%llx %d %d\n", mask, pf(), (*ppf)());
  printf("%d %s %d\n", self == &self, ptext, (int)(i128 >> 98));
  printf("%d %d %d %d %d\n", deep.c[0].b[1], deep.c[1].b[0], bits[0].a, bits[0].b, bits[1].b);
  return 1 / fs[2] < 0; }
