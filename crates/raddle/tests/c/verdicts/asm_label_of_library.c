// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// Another name of a library function.
#include <assert.h>
void *fill(void *, int, unsigned long) __asm__("memset");
int main(void) {
  char n = 0;
  fill(&n, 1, 1);
  assert(n == 0);
}
