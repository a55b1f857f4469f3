// Parameters: static and starred bounds, unnamed, functions; narrow indices; constants of all bases.
#include <stdio.h>
struct empty {};
static struct empty give(struct empty e, int x) { return e; }
typedef int fn(int);
static fn later;
static int arr(int n, int a[static const 3], int b[*]);
static int arr(int n, int a[static const 3], int b[n]) { return a[2] + b[n - 1] + (int)sizeof(b); }
static int unnamed(int, int x) { return x; }
static int fpar(int g(int), fn *h, fn k) { return g(1) + h(2) + k(3); }
static int later(int x) { return x * x; }
int main(void) {
  struct empty e[3], *p = e;
  give(e[0], 4);
  int a[3] = {1, 2, 3};
  printf("%d %d %d %zu\n", arr(2, a, a), unnamed(1, 2), fpar(later, later, &later), sizeof e);
  unsigned char i = 200; signed char j = -1;
  char big[300] = {0};
  big[200] = 5; 
  printf("%d %d\n", big[i], (big + 201)[j]);
  unsigned m1 = -1;
  char *q = big + 1;
  printf("%d\n", (int)((q + m1) - q == 4294967295ll));
  printf("%zu %zu\n", sizeof(1LU), sizeof(1uLL));
  printf("%d %d %d\n", '\xff', L'\xff', u'\xff');
  int x = 0xFFFFFFFF, y = 037777777777;
  printf("%d %d %zu %zu\n", x, y, sizeof(0xFFFFFFFFF), sizeof(4294967296));
  return 0; }
