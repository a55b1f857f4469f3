// memcpy, memmove, memset, memcmp, memchr on bytes, arrays, structs and overlapping ranges.
#include <stdio.h>
#include <string.h>
struct s { int a; char name[6]; double d; };
static void dump(const void *p, int n) { const unsigned char *c = p; while (n--) printf("%02x", *c++); putchar('\n'); }
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
  char buffer[12] = "abcdefghij";
  memmove(buffer + 2, buffer, 5);
  puts(buffer);
  memmove(buffer, buffer + 3, 6);
  puts(buffer);
  memset(buffer + 1, '-', 3);
  puts(buffer);
  memset(buffer, 0x1ff, 2);
  dump(buffer, 4);
  int from[4] = {1, 2, 3, 4}, to[4] = {0};
  memcpy(to + 1, from, 3 * sizeof *from);
  printf("%d %d %d\n", to[0], to[1], to[3]);
  struct s a = {1, "one", 1.5}, b;
  memset(&b, 0, sizeof b);
  printf("%d %d %g\n", b.a, b.name[0], b.d);
  memcpy(&b, &a, sizeof a);
  b.name[0] = 'O';
  printf("%d %s %s %g\n", b.a, a.name, b.name, b.d);
  memset(to, -1, sizeof to);
  printf("%d\n", to[2]);
  printf("%d %d %d\n", sign(memcmp("abc", "abd", 3)), memcmp("abc", "abd", 2), sign(memcmp("\xff", "\x01", 1)));
  printf("%d %d\n", memcmp(from, to, 0), memcmp(from, (int[]){1, 2, 3, 4}, sizeof from));
  char *found = memchr("hello", 'l', 5);
  printf("%s %d\n", found, memchr("hello", 'z', 6) == 0);
  int n = 3;
  memcpy(from, from + 1, n * sizeof(int));
  printf("%d %d\n", from[0], from[3]);
  double d = 2.5, copy;
  memcpy(&copy, &d, sizeof d);
  int *p = from, *q;
  memcpy(&q, &p, sizeof p);
  q[1] = 50;
  struct s array[2] = {{1}, {2}};
  memmove(&array[1], &array[0], sizeof array[0]);
  unsigned char raw[sizeof(struct s)];
  memcpy(raw, &a, sizeof a);
  printf("%g %d %d %d\n", copy, from[1], array[1].a, raw[4] == 'o');
  return *(char *)memcpy(buffer, "xyz", 3);
}
