// The conditional operator's type: arithmetic conversions, pointers, null pointers, void, structs.
#include <stdio.h>
struct s { int a, b; };
static struct s one = {1, 2}, two = {3, 4};
static int noise;
static void left(void) { noise += 1; }
static void right(void) { noise += 10; }
int main(void) {
  int yes = 1, no = 0, n = -1;
  unsigned u = 1;
  char c = 'c';
  short *p = 0;
  short value = 9;
  long long wide = 5;
  double d = no ? n : 2.5;
  printf("%g %lld %d\n", d, (long long)(yes ? n : u), (yes ? n : u) > 0);
  printf("%d %d %d\n", (int)sizeof(yes ? c : c), (int)sizeof(yes ? c : 1.0f), (int)sizeof(yes ? 1 : wide));
  printf("%lld %g\n", yes ? n : wide, yes ? n : 2.0);
  p = yes ? &value : 0;
  const void *v = no ? (void *)p : &value;
  printf("%d %d\n", *p, *(const short *)v);
  printf("%d %d\n", (yes ? one : two).b, (no ? one : two).b);
  struct s copy = no ? one : (struct s){5, 6};
  printf("%d\n", copy.a);
  yes ? left() : right();
  no ? left() : right();
  printf("%d %s\n", noise, yes ? "text" : NULL);
  printf("%d %d\n", c ?: 3, 0 ?: 3);
  printf("%g %d\n", n ?: 2.0, (int)sizeof(c ?: 'x'));
  int a[2] = {7, 8};
  printf("%d %d\n", (yes ? a : p == 0 ? a + 1 : a)[1], *(no ? a : a + 1));
  *(yes ? &a[0] : &a[1]) = 70;
  (no ? &one : &two)->a = 30;
  int (*f)(const char *) = yes ? puts : 0;
  f("called");
  int nested = n < 0 ? n < -5 ? 1 : 2 : n > 5 ? 3 : 4;
  printf("%d %d %d\n", a[0], two.a, nested);
  (void)(yes ? 1 : 2);
  return (u - 2 > 0 ? 5 : 6) + (yes ? no ? 10 : 20 : 30);
}
