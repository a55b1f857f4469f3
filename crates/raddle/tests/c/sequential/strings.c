// The str* functions.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
  char b[32];
  strcpy(b, "hello");
  strcat(b, ", ");
  strncat(b, "worldly", 5);
  printf("%s %d\n", b, (int)strlen(b));
  printf("%d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("ab", "a")), strcmp("x", "x"));
  printf("%d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "abd", 3)), strncmp("a", "b", 0));
  printf("%s %s %s\n", strchr(b, 'o'), strrchr(b, 'o'), strstr(b, "wor"));
  printf("%d %d %d\n", strchr(b, 'z') == 0, *strchr(b, 0), strstr(b, "xyz") == 0);
  printf("%d %d %s\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello", "lo"), strpbrk("key=value", "=:"));
  char n[8];
  memset(n, 'x', 8);
  strncpy(n, "ab", 5);
  for (int i = 0; i < 8; i++) printf("%d ", n[i]);
  strncpy(n, "abcdefghij", 4);
  printf("%.8s\n", n);
  char *d = strdup("dup");
  d[0] = 'D';
  printf("%s %d\n", d, (int)strnlen("long text", 4));
  free(d);
  d = strndup("truncated", 5);
  printf("%s %s\n", d, strstr("abc", ""));
  free(d);
  char *end = stpcpy(b, "stp");
  strcpy(end, "cpy");
  printf("%s %d\n", b, (int)(end - b));
  char t[] = "a,b;;c", *token = strtok(t, ",;");
  while (token) { printf("[%s]", token); token = strtok(0, ",;"); }
  printf("\n%d %d\n", sign(strcmp("\xff", "a")), sign(memcmp("a", "\xff", 1)));
  printf("%s %d\n", strchrnul("path/file", '/'), sign(strcasecmp("HeLLo", "hellO")));
  return (int)strlen("") + (strcmp("", "") == 0);
}
