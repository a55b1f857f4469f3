// Bit-fields: signs, packing, zero width, unnamed ones, assignment's value, increments, in unions.
#include <stdio.h>
#include <string.h>
struct bits { int s : 3; unsigned u : 3; unsigned : 5; unsigned v : 7; _Bool b : 1; unsigned long long w : 40; };
struct gaps { char c; int : 0; int x : 4; int y : 30; char z : 2; };
struct mixed { unsigned a : 31, b : 2; short s : 9; enum { P, Q = 7 } e : 3; };
union both { struct { unsigned low : 16, high : 16; }; unsigned all; };
static struct bits global = {-1, 9, 100, 1, 1ull << 39};
static struct bits pass(struct bits b) { b.u--; return b; }
int main(void) {
  struct bits b = {3, 7, 127, 2, -1};
  printf("%d %u %u %d %llx\n", b.s, b.u, b.v, b.b, (unsigned long long)b.w);
  printf("%d %u %u %d %llx\n", global.s, global.u, global.v, global.b, (unsigned long long)global.w);
  printf("%d %d %d\n", (int)sizeof(struct bits), (int)sizeof(struct gaps), (int)sizeof(struct mixed));
  b.s = 5;
  int value = (b.u = 12);
  printf("%d %d %u\n", b.s, value, b.u);
  printf("%d %u ", b.s++, b.u--);
  printf("%d %u\n", ++b.s, --b.u);
  b.u -= 5;
  b.s <<= 1;
  b.w += 1;
  printf("%u %d %llu\n", b.u, b.s, (unsigned long long)b.w);
  printf("%d %d\n", b.u - 8 < 0, b.w - 1 < 0);
  b = pass(b);
  printf("%u %u %d\n", b.u, b.v, b.b);
  struct gaps g;
  memset(&g, 0, sizeof g);
  g.c = 1; g.x = -3; g.y = 1 << 29; g.z = 2;
  printf("%d %d %d %d\n", g.c, g.x, g.y, g.z);
  struct mixed m = {.e = Q, .b = 3, .s = 255};
  m.a = ~0u; m.b++; m.s++;
  printf("%u %u %d %d\n", m.a, m.b, m.s, m.e == Q);
  union both u = {.all = 0x12345678};
  u.high = ~u.high;
  printf("%x %x\n", u.low, u.all);
  b.b = 4;
  b.b ^= 1;
  printf("%d\n", b.b);
  return b.s & 7;
}
