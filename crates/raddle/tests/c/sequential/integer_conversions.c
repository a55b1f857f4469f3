// Integer promotions and conversions: signs, truncation, comparisons of mixed signs, shifts, division.
#include <stdio.h>
#include <limits.h>
int main(void) {
  signed char sc = -1; unsigned char uc = 255; short s = -2; unsigned short us = 65535;
  int i = -3; unsigned u = 4; long l = -5; unsigned long ul = 6; long long ll = LLONG_MIN;
  printf("%d %d %d\n", sc == uc, sc + uc, (unsigned char)sc == uc);
  printf("%d %d %d\n", i < u, s < us, l < ul);
  printf("%d %d\n", l < (long)u, -1 < 1u);
  printf("%d %u %ld\n", us * us, (unsigned)us * us, (long)us * us);
  printf("%d %d %d\n", ~uc, (unsigned char)~uc, -us);
  printf("%d %d %d\n", uc << 4, (unsigned char)(uc << 4), sc >> 1);
  printf("%u %u\n", (unsigned)i >> 28, u - 5);
  printf("%d %d %d %d\n", -7 / 2, -7 % 2, 7 / -2, 7 % -2);
  printf("%u %lld\n", -7 / 2u, -7 / 2ll);
  printf("%d %d %d\n", (char)200, (signed char)384, (short)0x18000);
  printf("%lld %llu\n", (long long)(unsigned)-1, (unsigned long long)-1);
  printf("%lld %llu\n", (long long)i, (unsigned long long)s);
  printf("%d %u\n", (int)4000000000u, (unsigned)-4000000000ll);
  printf("%d %d\n", (_Bool)256, (_Bool)0.1);
  printf("%d %d %d\n", (int)sizeof(sc + sc), (int)sizeof(u + l), (int)sizeof(1 ? sc : uc));
  printf("%d %ld %d\n", 'a' + 1, 2147483647 + 1L, (int)sizeof('a'));
  printf("%lld %lld\n", 1ll << 40, (long long)(1 << 31));
  printf("%d %d\n", INT_MIN == -2147483648, INT_MIN % 10);
  printf("%lld %d\n", ll - 1, ll / 2 < 0);
  printf("%d %d %d\n", (int)3.99, (int)-3.99, (unsigned char)254.7);
  printf("%llu %lld\n", (unsigned long long)1e19, (long long)-1e18);
  printf("%.1f %.1f %.1f\n", (double)ul, (double)(unsigned long)-1, (float)16777217);
  printf("%d %d\n", 010 + 0x10 + 0b11, 1 == 1.0);
  printf("%d %d\n", (int)sizeof(2147483648), (int)sizeof(0x80000000));
  printf("%d\n", (i & 0xff) | (u << 8) ^ 3);
  return (unsigned char)(i * 100);
}
