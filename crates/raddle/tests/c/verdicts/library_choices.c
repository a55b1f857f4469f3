// true
// expect: explore true, oc true, cegar slow, auto true
// What the library may choose: the size of a difference, the order of equal elements, which of them is found, the sign of the larger zero. What it may not choose holds.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
struct pair { short key, value; };
static int by_key(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
int main(void) {
  struct pair pairs[4] = {{2, 1}, {1, 2}, {2, 3}, {2, 4}}, key = {2};
  assert(strcmp("a", "c") < 0 && memcmp("c", "b", 1) > 0 && strncmp("ab", "ac", 1) == 0);
  qsort(pairs, 4, sizeof *pairs, by_key);
  assert(pairs[0].value == 2 && pairs[1].value + pairs[2].value + pairs[3].value == 8);
  struct pair *found = bsearch(&key, pairs, 4, sizeof *pairs, by_key);
  assert(found > pairs && found < pairs + 4 && found->key == 2);
  assert(fmax(0.0, -0.0) == 0 && signbit(fmin(-0.0, -0.0)));
  return 0;
}
