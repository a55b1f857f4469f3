// Strings as initialisers: exact fit, longer arrays, braces, concatenation, escapes, embedded zeros.
#include <stdio.h>
#include <string.h>
static char exact[3] = "abc";
static char padded[6] = "abc";
static char sized[] = "abc";
static char braces[] = {"xy"};
static char joined[] = "one" "two" /* and */ "three";
static char zeros[] = "a\0b\0";
static char escapes[] = "\a\b\f\n\r\t\v\\\'\"\?\x41\102\e\08";
static const char *pointers[] = {"p", "q" "r", 0};
static char *shared = "tail of this" + 5;
static unsigned char bytes[] = "\xff\200";
static char table[2][4] = {"ab", {"cde"}};
struct named { char name[4]; const char *text; } n[] = {{"abcd", "x"}, {"e"}};
int main(void) {
  char local[8] = "lo";
  char *p = "literal";
  printf("%d %d %d %d %d\n", (int)sizeof exact, (int)sizeof padded, (int)sizeof sized, (int)sizeof braces, (int)sizeof zeros);
  printf("%s %s %s %d\n", padded, joined, pointers[1], pointers[2] == 0);
  for (unsigned i = 0; i < sizeof escapes; i++) printf("%d ", escapes[i]);
  putchar('\n');
  printf("%s %d %d %c\n", shared, bytes[0], bytes[1], table[1][2]);
  printf("%.4s %s %d\n", n[0].name, n[0].text, n[1].text == 0);
  for (int i = 0; i < 8; i++) printf("%d ", local[i]);
  local[0] = 'L';
  printf("%s %c %c %d\n", local, p[3], "index"[2], (int)strlen("len\0gth"));
  printf("%d %d\n", (int)sizeof "sizeof", *"" == 0);
  printf("%s\n", __func__);
  printf("%d\n", (int)sizeof(__FUNCTION__));
  return exact[2];
}
