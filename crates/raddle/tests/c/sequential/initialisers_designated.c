// Designated initialisers: fields, elements, ranges, nested designators, overriding, going on after a designator.
#include <stdio.h>
struct point { int x, y, z; };
struct shape { struct point at; int sizes[5]; union { int i; char c[4]; } u; struct { int in; }; };
static int sparse[10] = {[2] = 3, 4, [8] = 9, [0] = 1};
static int ranges[] = {[0 ... 3] = 7, [2] = 1, [5 ... 6] = 2, 3};
static struct point back = {.z = 3, .x = 1};
static struct point on = {.y = 2, 3};
static struct shape s = {.sizes[1] = 5, .at.y = 6, .u.c = {'a', 'b'}, .in = 4, .sizes[3] = 8, 9};
static struct shape list[3] = {[1].at = {1, 2, 3}, [1].sizes = {4, 5}, [2].sizes[2 ... 4] = 6, [0] = {.u = {.i = 65}}};
static struct point grid[2][2] = {[1][0].y = 4, 5, [0] = {{1}, {.z = 2}}};
static char *names[] = {['a' - 'a'] = "a", ['c' - 'a'] = "c"};
static struct point old = {x: 5, z: 6};
static int gnu[4] = {[1] 2, [3] 4};
static struct shape twice = {.at = {1, 2, 3}, .at.y = 9};
enum { IDLE, BUSY, STATES };
static const char *const text[STATES] = {[BUSY] = "busy", [IDLE] = "idle"};
static void show(struct point p) { printf("%d,%d,%d ", p.x, p.y, p.z); }
int main(void) {
  for (int i = 0; i < 10; i++) printf("%d ", sparse[i]);
  putchar('\n');
  for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) printf("%d ", ranges[i]);
  putchar('\n');
  show(back); show(on); show(s.at); show(list[1].at); show(old); show(twice.at); putchar('\n');
  for (int i = 0; i < 5; i++) printf("%d/%d/%d ", s.sizes[i], list[1].sizes[i], list[2].sizes[i]);
  printf("%c%c %d %c\n", s.u.c[0], s.u.c[1], s.in, list[0].u.c[0]);
  for (int i = 0; i < 4; i++) show(grid[i / 2][i % 2]);
  printf("\n%s %d %s %d %s\n", names[0], names[1] == 0, names[2], gnu[1] + gnu[3], text[BUSY]);
  int n = 3;
  struct shape l = {.in = n, .at = {.z = n}, .sizes = {[4] = n, [1 ... 2] = n + 1}};
  show(l.at);
  printf("%d %d %d %d\n", l.sizes[0], l.sizes[2], l.sizes[4], l.in);
  struct point q[] = {[1] = {n}, {n, n}, [0].y = n};
  show(q[0]); show(q[1]); show(q[2]);
  return (int)(sizeof q / sizeof *q);
}
