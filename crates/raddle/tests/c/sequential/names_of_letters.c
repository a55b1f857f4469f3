// Variables with names that the library has in characters.
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <wctype.h>
int a = 1, z = 2, A = 3, x = 4, n = 5;
int main(void) {
  printf("%d %d %d\n", !!iswlower(L'q'), !!iswspace(L'q'), strcasecmp("abc", "ABC"));
  printf("%ld %d\n", strtol("0x1f", 0, 0), a + z + A + x + n);
  return 0;
}
