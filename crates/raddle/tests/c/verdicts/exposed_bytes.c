// true
// expect: explore true, oc true, cegar slow, auto true
// An address is taken apart in bytes and put together again.
#include <stdint.h>
extern void reach_error(void);
static int x;
static unsigned char part[sizeof(uintptr_t)];
int main(void) {
  uintptr_t address = (uintptr_t)&x, again = 0;
  for (unsigned i = 0; i < sizeof address; i++) part[i] = (unsigned char)(address >> (8 * i));
  x = 1;
  for (unsigned i = 0; i < sizeof address; i++) again |= (uintptr_t)part[i] << (8 * i);
  *(int *)again = 2;
  if (x != 2) reach_error();
  return 0;
}
