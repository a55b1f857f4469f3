// Wrap-around of unsigned and (with -fwrapv) signed arithmetic, hashes, generators, bit tricks.
#include <stdio.h>
#include <stdint.h>
static uint32_t fnv(const char *s) { uint32_t h = 2166136261u; while (*s) h = (h ^ (uint8_t)*s++) * 16777619u; return h; }
static uint64_t xorshift(uint64_t *s) { *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17; return *s; }
static uint16_t crc(const uint8_t *p, int n) {
  uint16_t c = 0xffff;
  while (n--) { c ^= *p++; for (int i = 0; i < 8; i++) c = c & 1 ? c >> 1 ^ 0xa001 : c >> 1; }
  return c;
}
static int isqrt(unsigned n) { unsigned r = 0, b = 1u << 30; while (b > n) b >>= 2; while (b) { if (n >= r + b) { n -= r + b; r = r / 2 + b; } else r /= 2; b /= 4; } return r; }
static unsigned reverse(unsigned x) { unsigned r = 0; for (int i = 0; i < 32; i++, x >>= 1) r = r << 1 | (x & 1); return r; }
int main(void) {
  printf("%u %llu\n", fnv("raddle"), (unsigned long long)fnv(""));
  uint64_t s = 88172645463325252ull;
  for (int i = 0; i < 3; i++) printf("%llu ", (unsigned long long)xorshift(&s));
  printf("\n%x %d %x\n", crc((const uint8_t *)"123456789", 9), isqrt(1000000), reverse(0x12345));
  int i = 2147483647;
  i += 1;
  short h = 32767;
  h++;
  long long l = 9223372036854775807ll;
  l *= 2;
  printf("%d %d %lld %d\n", i, h, l, i - 1);
  unsigned a = 3, b = 5;
  printf("%u %u %d\n", a - b, (a - b) / 2, (int)(a - b) / 2);
  printf("%u %u\n", a & -a, (b ^ b >> 1));
  int8_t c = -128;
  c = -c;
  printf("%d %d\n", c, (uint8_t)(c - 1));
  uint8_t u = 250;
  u += 10;
  u = ~u;
  printf("%d %d\n", u, -2147483647 - 1 < 0 && -(-2147483647 - 1) < 0);
  int32_t m = 1 << 30;
  m = m * 4 + (m << 1);
  return m == (-2147483647 - 1);
}
