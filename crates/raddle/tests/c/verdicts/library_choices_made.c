// false
// expect: explore false, oc false, cegar slow, auto false
// The library may choose, see `library_choices.c`: here against what most do.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
struct pair { short key, value; };
static int by_key(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
int main(void) {
  struct pair pairs[3] = {{2, 1}, {1, 2}, {2, 3}}, key = {2};
  int order = strcmp("a", "c");
  qsort(pairs, 3, sizeof *pairs, by_key);
  struct pair *found = bsearch(&key, pairs, 3, sizeof *pairs, by_key);
  assert(!(order == -1 && pairs[1].value == 3 && found == pairs + 2 && signbit(fmax(0.0, -0.0)) && !signbit(fmax(-0.0, 0.0))));
  return 0;
}
