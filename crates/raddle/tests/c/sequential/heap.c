// malloc, calloc, realloc of nothing, free, alloca: sizes, zeros, addresses, reuse.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
struct item { int id; char name[12]; };
static char *join(const char *a, const char *b) {
  char *r = malloc(strlen(a) + strlen(b) + 1);
  strcpy(r, a);
  return strcat(r, b);
}
static int on_stack(int n) {
  int *a = alloca(n * sizeof *a), sum = 0;
  for (int i = 0; i < n; i++) a[i] = i;
  for (int i = 0; i < n; i++) sum += a[i];
  return n > 1 ? sum + on_stack(n - 1) : sum;
}
int main(void) {
  int *a = malloc(10 * sizeof *a), *z = calloc(10, sizeof *z);
  for (int i = 0; i < 10; i++) a[i] = z[i] + i * i;
  printf("%d %d %d\n", a[9], z[9], a != z);
  struct item *items = calloc(3, sizeof *items), *p = items + 2;
  p->id = 3;
  strcpy(p->name, "third");
  printf("%d %s %d\n", items[2].id, items[2].name, items[1].name[0]);
  char *text = join("over", "flow");
  printf("%s %d\n", text, (int)strlen(text));
  int **rows = malloc(3 * sizeof *rows);
  for (int i = 0; i < 3; i++) {
    rows[i] = malloc((i + 1) * sizeof **rows);
    for (int j = 0; j <= i; j++) rows[i][j] = i * 10 + j;
  }
  printf("%d %d\n", rows[2][1], rows[1][1]);
  for (int i = 3; i--;) free(rows[i]);
  free(rows); free(text); free(items); free(a); free(z);
  free(NULL);
  int *fresh = realloc(NULL, sizeof *fresh);
  *fresh = on_stack(5);
  int (*grid)[4] = malloc(2 * sizeof *grid);
  grid[1][3] = 8;
  printf("%d %d\n", *fresh, *(&grid[0][0] + 7));
  struct item *copy = memcpy(malloc(sizeof(struct item)), &(struct item){9, "copied"}, sizeof(struct item));
  printf("%d %s\n", copy->id, copy->name);
  void *one = malloc(1), *two = malloc(1);
  return one != two && ((long)one & 7) == 0;
}
