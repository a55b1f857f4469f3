// false
// expect: explore false, oc false, cegar false, auto false
// The two parts of an address, each a number, are put together again.
#include <stdint.h>
extern void reach_error(void);
static int x;
static uintptr_t low, high;
int main(void) {
  low = (uintptr_t)&x & 0xffff;
  high = (uintptr_t)&x >> 16;
  x = 1;
  *(int *)(high << 16 | low) = 2;
  if (x == 2) reach_error();
  return 0;
}
