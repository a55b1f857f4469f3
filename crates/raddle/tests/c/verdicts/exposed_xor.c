// true
// expect: explore true, oc true, cegar true, auto true
// A variable is written through the exclusive or of its address with another one.
#include <stdint.h>
extern void reach_error(void);
static int a, b;
static uintptr_t link;
int main(void) {
  uintptr_t x = (uintptr_t)&a, y = (uintptr_t)&b;
  link = x ^ y;
  a = 1;
  *(int *)(link ^ y) = 2;
  if (a != 2) reach_error();
  return 0;
}
