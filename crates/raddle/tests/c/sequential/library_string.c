// <string.h> and <strings.h> on strings from a generator.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static unsigned seed = 1;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static char *fill(char *to, unsigned most, const char *letters) {
  unsigned n = next(most);
  for (unsigned i = 0; i < n; i++) to[i] = letters[next(strlen(letters))];
  to[n] = 0;
  return to;
}
static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const void *base, const void *p) { return p ? (const char *)p - (const char *)base : -1; }
static unsigned sum(const void *memory, size_t n) {
  unsigned s = 7;
  for (size_t i = 0; i < n; i++) s = s * 31 + ((const unsigned char *)memory)[i];
  return s;
}

static void searching(void) {
  char a[16], b[6];
  for (int i = 0; i < 40; i++) {
    fill(a, 14, "abcAB");
    fill(b, 4, "abcA");
    int c = b[0] ? b[0] : 'c';
    size_t n = strlen(a);
    printf("%ld %ld %ld %ld ", at(a, strchr(a, c)), at(a, strrchr(a, c)), at(a, strchrnul(a, c)), at(a, strstr(a, b)));
    printf("%ld %ld %zu %zu ", at(a, strcasestr(a, b)), at(a, strpbrk(a, b)), strspn(a, b), strcspn(a, b));
    printf("%ld %ld %ld ", at(a, memchr(a, c, n)), at(a, memrchr(a, c, n)), at(a, rawmemchr(a, 0)));
    printf("%ld %ld %ld %zu\n", at(a, memmem(a, n, b, strlen(b))), at(a, index(a, c)), at(a, rindex(a, c)), strnlen(a, 5));
  }
  printf("%s %s %s\n", basename("/usr/lib"), basename("lib"), basename("lib/"));
}

static void comparing(void) {
  char a[8], b[8];
  for (int i = 0; i < 60; i++) {
    fill(a, 5, "abA\xe9");
    fill(b, 5, "abA\xe9");
    size_t n = next(5), m = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    printf("%d %d %d %d ", sign(strcmp(a, b)), sign(strncmp(a, b, n)), sign(strcasecmp(a, b)), sign(strncasecmp(a, b, n)));
    printf("%d %d %d\n", sign(memcmp(a, b, m)), !!bcmp(a, b, m), sign(strcoll(a, b)));
  }
  const char *versions[] = {"000", "00", "01", "010", "09", "0", "1", "9", "10", "", "a", "a1", "a01", "a1b", "a10b", "a001", "a0", "b", "1.2", "1.10"};
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) printf("%d%s", sign(strverscmp(versions[i], versions[j])), j == 19 ? "\n" : " ");
}

static void copying(void) {
  char a[40], b[40], c[40];
  for (int i = 0; i < 25; i++) {
    memset(a, '-', sizeof a);
    memset(b, '+', sizeof b);
    fill(b, 14, "abcdefgh");
    size_t n = next(16), length = strlen(b);
    printf("%ld ", at(a, stpcpy(a, b)));
    printf("%ld ", at(a, stpncpy(a + 1, b, n)));
    printf("%u ", sum(a, sizeof a));
    printf("%ld ", at(a, strncpy(a + 2, b, n)));
    printf("%ld ", at(a, memccpy(a + 20, b, 'd', n)));
    printf("%u ", sum(a, sizeof a));
    printf("%ld ", at(a, mempcpy(a, b, n)));
    printf("%u ", sum(a, sizeof a));
    memmove(a + 3, a, n);
    bcopy(a + 5, a + 2, n);
    printf("%u ", sum(a, sizeof a));
    strcpy(c, "x");
    strncat(c, b, n);
    strcat(c, b);
    printf("%s ", c);
    memset(a, '-', sizeof a);
    swab(b, a, n);
    printf("%u ", sum(a, sizeof a));
    printf("%s ", (char *)memfrob(memfrob(c, length), length));
    memfrob(a, n);
    printf("%u ", sum(a, sizeof a));
    explicit_bzero(a, n);
    bzero(b + 3, 2);
    printf("%u %u ", sum(a, sizeof a), sum(b, sizeof b));
    memset(a, '-', sizeof a);
    printf("%zu ", strxfrm(a, c, n));
    printf("%u\n", sum(a, sizeof a));
  }
  char *d = strdup("some text"), *e = strndup("some text", 4), *f = strdupa("more"), *g = strndupa("more", 2);
  printf("%s %s %s %s\n", d, e, f, g);
  free(d);
  free(e);
}

static void tokens(void) {
  char a[24], b[24], *rest, *part;
  for (int i = 0; i < 15; i++) {
    fill(a, 18, "ab,; ");
    strcpy(b, a);
    for (part = strtok(a, ",; "); part; part = strtok(0, ",; ")) printf("[%s]", part);
    strcpy(a, b);
    for (part = strtok_r(a, ";", &rest); part; part = strtok_r(0, " ,", &rest)) printf("<%s>", part);
    rest = b;
    while ((part = strsep(&rest, ",;"))) printf("{%s}", part);
    printf("%d\n", rest == 0);
  }
}

int main(void) {
  searching();
  comparing();
  copying();
  tokens();
  for (int i = 0; i < 64; i += 5) printf("%d %d %d ", ffs(1u << i % 32), ffsl(3l << i), ffsll(5ll << i));
  printf("%d %d\n", ffs(0), ffsll(0));
  return 0;
}
