// Calls through unprototyped declarations of functions that another file defines with a prototype.
#include <stdio.h>
int add();
double half();
char *pick();
unsigned char narrow();
void fill();
int main(void) {
  int a[3];
  fill(a, 3);
  printf("%d %g %s %d\n", add(2, 3), half(5.0), pick(1), narrow(300));
  printf("%d %d\n", a[0], a[2]);
  return add(a[1], 1);
}
