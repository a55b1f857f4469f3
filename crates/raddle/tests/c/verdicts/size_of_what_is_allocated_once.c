// false
// expect: explore false, oc false, cegar false, auto false
// An object that is allocated only once is still one on the heap, whose size can be asked for.
#include <malloc.h>
#include <stdlib.h>

void reach_error(void) {}

int main(void) {
  char *object = malloc(3);
  if (malloc_usable_size(object) >= 3) reach_error();
  return 0;
}
