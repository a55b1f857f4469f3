// false
// expect: explore false, oc false, cegar false, auto false
// A number goes far beyond an object and comes back.
#include <stdint.h>
extern void reach_error(void);
static int x, y;
static uintptr_t far, at_once;
int main(void) {
  uintptr_t address = (uintptr_t)&x;
  far = address + 4096;
  at_once = (uintptr_t)&y - 4096;
  x = y = 1;
  *(int *)(far - 4096) = 2;
  *(int *)(at_once + 4096) = 3;
  if (x == 2 && y == 3) reach_error();
  return 0;
}
