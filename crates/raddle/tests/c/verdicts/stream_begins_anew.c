// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// What could not be read may be there once the end is forgotten.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (!file) return 1;
  if (fgetc(file) != EOF || !feof(file)) return 1;
  assert(fgetc(file) == EOF);
  rewind(file);
  assert(fgetc(file) == EOF);
  return fclose(file);
}
