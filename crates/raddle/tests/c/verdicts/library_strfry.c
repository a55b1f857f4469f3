// false
// expect: explore false, oc false, cegar false, auto false
// strfry makes any permutation.
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
int main(void) {
  char text[] = "abc";
  strfry(text);
  assert(strcmp(text, "bca"));
  return 0;
}
