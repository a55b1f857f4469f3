// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// Random numbers are in range.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  unsigned seed = rand();
  assert(rand() >= 0 && rand() <= RAND_MAX);
  assert(random() >= 0 && random() <= 2147483647);
  assert(rand_r(&seed) >= 0);
  srand48(__builtin_bswap32(seed));
  assert(lrand48() >= 0 && lrand48() <= 2147483647);
  return 0;
}
