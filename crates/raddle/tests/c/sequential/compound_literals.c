// Compound literals: static and automatic, modified, in loops, as arguments, of scalars, arrays, structs and unions.
#include <stdio.h>
struct point { int x, y; };
static struct point *file_scope = &(struct point){1, 2};
static int *file_array = (int[]){10, 20, 30};
static const char **texts = (const char *[]){"a", "b", 0};
static int sum(const int *a, int n) { int s = 0; while (n--) s += a[n]; return s; }
static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static struct point *move(struct point *p) { p->x += 100; return p; }
static int fresh(int n) {
  int total = 0;
  for (int i = 0; i < n; i++) {
    int *p = (int[2]){i};
    p[1] += i + 1;
    total = total * 10 + p[1];
  }
  return total;
}
int main(void) {
  int n = 4;
  file_scope->y = 50;
  file_array[1]++;
  printf("%d %d %d %s\n", file_scope->x + file_scope->y, file_array[1], file_array[2], texts[1]);
  printf("%d %d\n", sum((int[]){n, n + 1, n + 2}, 3), norm((struct point){.y = n, .x = 3}));
  printf("%d\n", move(&(struct point){1, 2})->x);
  int *scalar = &(int){n * 2};
  *scalar += 1;
  (struct point){5, 6}.x;
  (int){3} = 4;
  printf("%d %d %d\n", *scalar, (struct point){5, 6}.y, (int[]){7, 8, 9}[1]);
  printf("%d\n", fresh(4));
  struct point a = {1, 1};
  a = (struct point){a.y + 10, a.x + 20};
  printf("%d %d\n", a.x, a.y);
  char *text = (char[]){"hello"};
  text[0] = 'J';
  printf("%s %d\n", text, (int)sizeof(char[]){"hello"});
  union u { int i; char c[4]; } u = (union u){.c = {'a', 'b'}};
  printf("%c %d\n", u.c[1], u.c[3]);
  struct { struct point *p; int k; } nested = {&(struct point){7, 8}, (int){9}};
  printf("%d %d %d\n", nested.p->y, nested.k, (int){1} + (short){70000});
  return ((struct point[]){{1, 2}, {3, 4}})[1].y;
}
