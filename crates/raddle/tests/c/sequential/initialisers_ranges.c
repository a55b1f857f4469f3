// Ranges in initialisers whose values have side effects, which happen once.
#include <stdio.h>
static int calls;
static int next(void) { return ++calls; }
struct p { int a, b; };
static struct p mk(void) { return (struct p){++calls, 7}; }
static int x;
static int *ptrs[4] = {[1 ... 2] = &x};
int main(void) {
  int a[6] = {[1 ... 3] = next(), [5] = next()};
  struct p b[3] = {[0 ... 1] = {next(), next()}}, c[3] = {[1 ... 2] = mk()};
  for (int i = 0; i < 6; i++) printf("%d ", a[i]);
  for (int i = 0; i < 3; i++) printf("%d,%d %d,%d ", b[i].a, b[i].b, c[i].a, c[i].b);
  int *q[3] = {[0 ... 2] = &a[1]};
  *q[2] = 50;
  printf("%d %d %d\n", *q[0], ptrs[2] == &x, ptrs[3] == 0);
  return calls; }
