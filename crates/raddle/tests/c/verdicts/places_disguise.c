// unknown
// expect:
// An input that is found equal to an address, by the hash of both, leads to the object.
#include <assert.h>
#include <string.h>
extern void *__VERIFIER_nondet_pointer(void);
int x = 1;
static unsigned long hash(const void *p) { return (unsigned long)p % 4093 + ((unsigned long)p >> 5); }
int main(void) {
  int *s = __VERIFIER_nondet_pointer(), *p = &x;
  if (hash(s) == hash(p) && memcmp(&s, &p, sizeof p) == 0) *s = 2;
  assert(x == 1);
  return 0;
}
