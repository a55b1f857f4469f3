// Enumerations: values, gaps, negatives, wide ones, use as array bounds and in switches.
#include <stdio.h>
enum colour { RED, GREEN = 5, BLUE, ALIAS = GREEN, LAST };
enum sign { MINUS = -1, NONE, PLUS };
enum wide { SMALL = 1, LARGE = 0x7fffffffffff };
enum { WIDTH = 4, AREA = WIDTH * WIDTH, };
enum letter { A = 'a', B, C };
enum __attribute__((packed)) tiny { T0, T1 = 200 };
static int grid[AREA];
static const char *name(enum colour c) {
  switch (c) {
  case RED: return "red";
  case GREEN: return "green";
  case BLUE: return "blue";
  default: return "other";
  }
}
int main(void) {
  enum colour c = BLUE;
  enum sign s = MINUS;
  enum { LOCAL = 9, RED = 77 } local = RED;
  for (enum letter l = A; l <= C; l++) putchar(l);
  putchar('\n');
  printf("%d %d %d %d\n", ALIAS, LAST, AREA, (int)(sizeof grid / sizeof *grid));
  printf("%s %s %s %s\n", name(c), name(5), name(0), name(LAST));
  printf("%d %d %d\n", s < 0, s < NONE, (int)sizeof(enum colour));
  printf("%lld %d %d\n", (long long)LARGE, (int)sizeof(LARGE), (int)sizeof(enum wide));
  printf("%d %d %d\n", local, LOCAL, (int)sizeof(enum tiny));
  enum tiny t = T1;
  printf("%d %d\n", t, t + 100);
  printf("%d\n", (enum colour)-1 > 0);
  c = -1;
  printf("%d %d\n", c < 0, (int)c);
  return c++ == 0xffffffffu;
}
