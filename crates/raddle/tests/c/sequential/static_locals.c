// Static locals keep their values, are separate in each block, and may point at each other.
#include <stdio.h>
static int next(void) { static int n = 10; return n++; }
static int *cell(void) { static int hidden[2] = {5, 6}; return hidden; }
static int recursive(int depth) {
  static int deepest;
  if (depth > deepest) deepest = depth;
  if (depth < 5) recursive(depth + 1);
  return deepest;
}
static int blocks(int which) {
  if (which) { static int n = 100; return ++n; }
  else { static int n = 200; return ++n; }
}
static const char *name(int i) {
  static const char *const names[] = {"zero", "one"};
  static const char *const *current = names + 1;
  return i ? *current : current[-1];
}
int main(void) {
  next(); next();
  cell()[1] += 10;
  printf("%d %d %d\n", next(), cell()[0], cell()[1]);
  printf("%d\n", recursive(0));
  blocks(1); blocks(0); blocks(0);
  int a = blocks(1), b = blocks(0);
  printf("%d %d\n", a, b);
  printf("%s %s\n", name(0), name(1));
  for (int i = 0; i < 3; i++) { static int once; once += i; printf("%d ", once); }
  putchar('\n');
  static int zero, *self = &zero;
  *self = 9;
  return zero;
}
