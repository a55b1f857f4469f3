// <ctype.h> as macros, as functions, and with a locale.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>

int main(void) {
  for (int c = -1; c < 256; c++) {
    printf("%d %d %d %d %d %d ", isalnum(c), isalpha(c), isblank(c), iscntrl(c), isdigit(c), isgraph(c));
    printf("%d %d %d %d %d %d ", islower(c), isprint(c), ispunct(c), isspace(c), isupper(c), isxdigit(c));
    printf("%d %d %d %d ", !!(isalnum)(c), !!(isalpha)(c), !!(isblank)(c), !!(iscntrl)(c));
    printf("%d %d %d %d ", !!(isdigit)(c), !!(isgraph)(c), !!(islower)(c), !!(isprint)(c));
    printf("%d %d %d %d ", !!(ispunct)(c), !!(isspace)(c), !!(isupper)(c), !!(isxdigit)(c));
    printf("%d %d %d %d\n", tolower(c), toupper(c), isascii(c), toascii(c));
  }
  for (int c = -128; c < -1; c++) printf("%d %d ", tolower(c), toupper(c));
  printf("%d %d %d\n", tolower(300), toupper(-300), isascii(300));
  return 0;
}
