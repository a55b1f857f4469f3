// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// A file may be there, and may begin with any byte.
#include <assert.h>
#include <stdio.h>
int main(void) {
  FILE *file = fopen("data", "r");
  if (!file) return 1;
  int c = fgetc(file);
  assert(c >= -1 && c < 256);
  assert(c != 'x');
  return 0;
}
