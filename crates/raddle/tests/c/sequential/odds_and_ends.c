// Large structs and unions by value, _Bool, precedence, flexible struct copies.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <stdint.h>
struct big { char pad[1000]; int x; };
static struct big mk(int x) { struct big b; memset(&b, 1, sizeof b); b.x = x; return b; }
union huge { char c[700]; int i[100]; };
static union huge mkh(void) { union huge h; for (int i = 0; i < 100; i++) h.i[i] = i; return h; }
struct fam { int n; int d[]; };
static int cnt;
static int tick(void) { return cnt++; }
int main(void) {
  struct big b = mk(5), c; c = b; c.pad[999]++;
  printf("%d %d %d\n", c.x, c.pad[999], b.pad[999]);
  union huge h = mkh(), g = h; printf("%d %d\n", g.i[99], g.c[396]);
  struct fam *f1 = malloc(sizeof *f1 + 8), *f2 = malloc(sizeof *f2 + 8);
  f1->n = 1; f1->d[0] = 2; f2->d[0] = 9; *f2 = *f1; printf("%d %d\n", f2->n, f2->d[0]);
  bool t = 5 > 3; t += 5; t -= 1; printf("%d\n", t);
  bool p = &t; p = !p; printf("%d\n", p);
  float nan = 0.0f / 0.0f; bool bn = nan; printf("%d %d\n", bn, (bool)0.0);
  int a[5] = {5, 4, 3, 2, 1}, i = 0;
  while (i < 5 && a[i]) a[i++] = tick();
  printf("%d %d %d\n", a[0], a[4], i);
  int x = 5, y = (x++, x * 2); printf("%d %d\n", x, y);
  int8_t s8 = 127; s8 += 1; uint16_t u16 = 65535; u16 *= u16; printf("%d %d\n", s8, u16);
  int arr2[2][3] = {{1, 2, 3}, {4, 5, 6}}; int *q = arr2[1]; printf("%d %d\n", q[-1], *(arr2[0] + 4));
  char *s = "a" "b"; printf("%c%c\n", *s, 1[s]);
  printf("%d\n", -1 ? 2 : 3);
  printf("%d %d\n", !5, !!5);
  printf("%d\n", ~0 & 0xf0 | 1 ^ 3);
  printf("%d\n", 1 + 2 * 3 - 4 / 2 % 3 << 1 > 5 == 1);
  int z = 10; z = z++ > 10 ? z : z * 2; printf("%d\n", z);
  unsigned long long m = 0xfedcba9876543210; printf("%llx %llx %d\n", m >> 4, m << 4, (int)(m >> 60));
  long l = -1; printf("%lu %d\n", (unsigned long)l >> 31, l >> 31 == -1);
  do { if (x == 6) break; } while (1);
  const char *names[] = {[2] = "two", [0] = "zero"}; printf("%d %s\n", names[1] == NULL, names[2]);
  return EXIT_FAILURE; }
