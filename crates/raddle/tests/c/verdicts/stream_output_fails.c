// false
// expect: explore false, oc false, cegar false, auto false
// The disk may be full.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "w");
  if (!file || fputc('a', file) != 'a' || fprintf(file, "b%d", 1) != 2 || ferror(file)) return 0;
  assert(fflush(file) == 0);
  return 0;
}
