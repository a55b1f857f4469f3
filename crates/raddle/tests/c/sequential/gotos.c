// goto: forwards, backwards, into and out of blocks, over declarations, local scopes of labels.
#include <stdio.h>
static int find(int needle) {
  int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, i, j;
  for (i = 0; i < 3; i++)
    for (j = 0; j < 3; j++)
      if (a[i][j] == needle) goto found;
  return -1;
found:
  return i * 10 + j;
}
static int into(int skip) {
  int n = 0;
  if (skip) goto inside;
  n = 100;
  for (int i = 0; i < 2; i++) {
  inside:
    n++;
    if (skip) break;
  }
  return n;
}
static int back(int n) {
  int sum = 0;
again:
  if (n <= 0) goto out;
  sum += n--; goto again;
out: return sum;
}
static int cleanup(int fail) {
  int state = 0;
  state |= 1; if (fail == 1) goto undo1;
  state |= 2; if (fail == 2) goto undo2;
  state |= 4; return state;
undo2: state &= ~2; state |= 16;
undo1: state &= ~1; state |= 8;
  return state;
}
static int computed(int k) {
  static void *const targets[] = {&&zero, &&one, &&two};
  int r = 0;
  goto *targets[k];
zero: r += 1;
one: r += 10;
two: r += 100;
  return r;
}
int main(void) {
  printf("%d %d\n", find(6), find(10));
  printf("%d %d %d\n", into(0), into(1), back(4));
  printf("%d %d %d\n", cleanup(0), cleanup(1), cleanup(2));
  int n = 0;
  goto middle;
  { int x; n = 50; middle: x = 5; n += x; }
  { __label__ here; here: if (n++ < 8) goto here; }
  { __label__ here; if (n > 5) goto here; n = 0; here:; }
  switch (n) { case 9: goto nine; default: n = 0; nine: n += 2; }
  int d = n; d: d++; if (d < 15) goto d;
  return n + d;
}
