// Conditions that guard what would otherwise be invalid: null pointers, bounds, division.
#include <stdio.h>
#include <stddef.h>
struct node { int v; struct node *next; };
static int first(const struct node *n) { return n && n->next && n->next->v > 2 ? n->next->v : -1; }
static int safe_divide(int a, int b) { return b != 0 && a / b > 1; }
static int at(const int *a, int n, int i) { return i >= 0 && i < n && a[i]; }
int main(void) {
  struct node c = {5, 0}, b = {1, &c}, a = {0, &b};
  printf("%d %d %d %d\n", first(0), first(&c), first(&a), first(&b));
  printf("%d %d %d\n", safe_divide(4, 0), safe_divide(4, 2), safe_divide(4, 3));
  int array[3] = {0, 1, 0}, *null = NULL;
  printf("%d %d %d\n", at(array, 3, 1), at(array, 3, 3), at(array, 3, -1));
  printf("%d %d\n", !null || *null == 3, null != NULL && null[5]);
  int x = null ? *null : 7;
  int y = 0 ? 1 / 0 : 2;
  int z = sizeof(*null) + (int)sizeof(1 / 0);
  int zero = 0;
  int w = zero ? 10 / zero : 10 % (zero + 3);
  printf("%d %d %d %d\n", x, y, z, w);
  for (struct node *n = &a; n && (n->v < 5 || (printf("stop "), 0)); n = n->next) printf("%d ", n->v);
  return (null || &array[1]) && !(null && *null);
}
