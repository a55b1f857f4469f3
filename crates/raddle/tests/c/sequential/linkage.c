// extern, tentative definitions, inline functions and block-scope declarations.
#include <stdio.h>
int tentative;
int tentative;
int tentative = 4;
static int internal;
static int internal = 6;
extern int declared_only_here[];
int declared_only_here[3] = {1, 2, 3};
int incomplete[];
static inline int square(int x) { return x * x; }
extern inline __attribute__((gnu_inline)) int cube(int x) { return x * x * x; }
int cube(int x) { return x * x * x; }
inline __attribute__((always_inline)) static int twice(int x) { return 2 * x; }
static int forward(int);
extern int late;
static int read_late(void) { return late; }
int late = 11;
static int shadows(void) {
  int tentative = 1;
  {
    extern int tentative;
    tentative += 100;
  }
  return tentative;
}
int main(void) {
  extern int internal;
  int forward(int);
  int puts(const char *);
  printf("%d ", shadows());
  printf("%d %d\n", tentative, internal);
  printf("%d %d %d\n", declared_only_here[2], square(5), cube(3));
  printf("%d %d %d\n", twice(8), forward(2), read_late());
  incomplete[0] += 3;
  puts("done");
  return incomplete[0];
}
static int forward(int x) { return x - 10; }
