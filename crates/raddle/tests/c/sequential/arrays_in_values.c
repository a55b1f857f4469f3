// Arrays inside struct values that are not lvalues.
#include <stdio.h>
struct s { int a[3]; struct { char n[4]; } in; };
static struct s f(int x) { return (struct s){{x, x + 1, x + 2}, {"ab"}}; }
int main(void) {
  struct s a = f(1), b = f(10);
  int yes = 1;
  printf("%d ", (yes ? a : b).a[1]);
  printf("%d\n", (a = b).a[2]);
  printf("%d %s\n", ({ struct s t = b; t.a[0] = 77; t; }).a[0], f(3).in.n);
  printf("%d\n", (yes, a).a[0] + f(7).a[1]);
  struct s arr[2] = {f(1), f(2)};
  printf("%d %c\n", arr[1].a[2], (&arr[0])->in.n[1]);
  for (int i = 0; i < 3; i++) printf("%d ", f(i).a[i]);
  putchar('\n');
  return sizeof f(1).a;
}
