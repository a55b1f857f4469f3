// false
// expect: explore false, oc false, cegar false, auto false
// rand_r writes a new seed: any.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  unsigned seed = 1;
  rand_r(&seed);
  assert(seed != 77);
  return 0;
}
