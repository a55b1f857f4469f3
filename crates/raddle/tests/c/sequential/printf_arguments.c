// Numbered arguments, wide characters and texts; characters that are pushed back.
#include <stdio.h>
#include <wchar.h>
int main(void) {
  printf("%2$s %1$d %1$04d|%3$*1$s|\n", 7, "seven", "x");
  printf("%ls|%.2ls|%5ls|%S|%lc%C\n", L"abc", L"abc", L"abc", L"wide", L'x', L'y');
  ungetc('1', stdin);
  printf("%d", ungetc('2', stdin));
  printf(" %d", getchar());
  printf(" %d\n", getchar());
  return 0;
}
