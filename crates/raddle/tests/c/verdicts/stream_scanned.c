// true
// expect: explore slow, oc true, cegar slow, auto true
// expect:
// What is not converted is not stored, and a width is kept to.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int x = -1, y = -1;
  char word[3];
  int n = scanf("%d,%2d", &x, &y);
  assert(n >= -1 && n <= 2);
  assert(n == 2 ? y >= -9 && y <= 99 : y == -1);
  assert(n >= 1 || x == -1);
  if (n == -1) assert(feof(stdin) || ferror(stdin));
  if (fscanf(stdin, "%2s", word) == 1) assert(word[0] != ' ' && (word[1] == 0 || word[2] == 0));
  return 0;
}
