// <arpa/inet.h>, <libgen.h> and <search.h>.
#include <arpa/inet.h>
#include <libgen.h>
#include <search.h>
#include <stdio.h>
#include <string.h>
static int by_text(const void *a, const void *b) { return strcmp(a, b); }
int main(void) {
  const char *texts[] = {"1.2.3.4", "127.1", "0x7f.0.0.1", "010.1", "256.1", "1.2.3", "1.2.3.4.5", "4294967295", "4294967296", "", "1..2", "01.2.3.4", "1.2.3.04",
                         "1.2.3.4 x", "1.2.3.4x", "0x", "08", "0", "1.16777216", "1.2.65536", "1.2.65535", "192.168.100.200"};
  for (int i = 0; i < 22; i++) {
    struct in_addr a = {0}, b = {0};
    char text[16], small[4];
    int first = inet_aton(texts[i], &a), second = inet_pton(AF_INET, texts[i], &b);
    printf("%d %x %d %x %x ", first, a.s_addr, second, b.s_addr, inet_addr(texts[i]));
    printf("%s %s %d\n", inet_ntoa(a), inet_ntop(AF_INET, &a, text, 16), !inet_ntop(AF_INET, &a, small, 4));
  }
  printf("%x %x %x\n", htonl(0x1020304), ntohs(0x102), inet_pton(77, "", 0));
  const char *paths[] = {"/usr/lib", "/usr/", "usr", "/", ".", "..", "", "//", "///", "a//b", "/a", "a/b/", "//a", "///a", "a///"};
  for (int i = 0; i < 15; i++) {
    char one[16], other[16];
    printf("%s ", dirname(strcpy(one, paths[i])));
    printf("%s\n", basename(strcpy(other, paths[i])));
  }
  void *root = 0;
  for (int i = 0; i < 15; i++) tsearch(paths[i], &root, by_text);
  printf("%s %d ", *(char **)tfind("a//b", &root, by_text), tfind("b", &root, by_text) == 0);
  printf("%d ", tdelete("a//b", &root, by_text) != 0);
  printf("%d %d\n", tdelete("a//b", &root, by_text) == 0, tfind("a//b", &root, by_text) == 0);
  hcreate(20);
  for (int i = 0; i < 15; i++) hsearch((ENTRY){(char *)paths[i], (void *)(long)i}, ENTER);
  printf("%ld %d\n", (long)hsearch((ENTRY){"usr", 0}, ENTER)->data, hsearch((ENTRY){"none", 0}, FIND) == 0);
  hdestroy();
  return 0;
}
