// Nested and brace-elided initialisers, zero fill, initialisers of several kinds in one list.
#include <stdio.h>
struct point { int x, y; };
struct line { struct point a, b; char name[8]; };
struct deep { int k; struct line lines[2]; struct point *p; };
static struct line elided = {1, 2, 3, 4, "abc"};
static struct line braced = {{1}, {.y = 5}, {'h', 'i'}};
static struct deep deep = {7, {{{1, 2}, {3, 4}, "one"}, {5, 6, 7, 8, "two"}}, &elided.b};
static int matrix[2][3] = {1, 2, 3, 4};
static int partial[2][3] = {{1}, {4, 5}};
static struct point list[] = {1, 2, 3, 4, 5};
static char letters[][3] = {{'a', 'b'}, "cd", 'e'};
static int one = {1};
static int scalar = {{2}};
static struct { int a[2]; struct { int b; union { int c; char d; } u; } s; } anon = {{1, 2}, {3, {4}}};
static void show(const struct line *l) { printf("(%d,%d)-(%d,%d) %s\n", l->a.x, l->a.y, l->b.x, l->b.y, l->name); }
int main(void) {
  int n = 5;
  struct line local = {n, n + 1, {n * 2}, "loc"};
  struct point p = {8, 9};
  struct line from = {p, {p.y, p.x}, "from"};
  struct line mixed[2] = {p, 1, 2, "m", {{3}}};
  int array[6] = {n, [3] = n, n};
  char text[10] = "ab";
  show(&elided); show(&braced); show(&local); show(&from); show(&mixed[0]); show(&mixed[1]);
  show(&deep.lines[0]); show(&deep.lines[1]);
  printf("%d %d %d\n", deep.p->x, matrix[1][0], matrix[1][1]);
  printf("%d %d %d\n", partial[0][1], partial[1][1], partial[1][2]);
  printf("%d %d %d\n", (int)(sizeof list / sizeof *list), list[2].x, list[2].y);
  printf("%d %s %s %s\n", (int)sizeof letters, letters[0], letters[1], letters[2]);
  printf("%d %d %d %d\n", one, scalar, anon.s.u.c, anon.a[1]);
  for (int i = 0; i < 6; i++) printf("%d ", array[i]);
  for (int i = 0; i < 10; i++) printf("%d ", text[i]);
  putchar('\n');
  struct { int a; struct point p; int b; } order = {1, p, 2};
  return order.p.y * 10 + order.b;
}
