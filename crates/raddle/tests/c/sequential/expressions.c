// Arithmetic and assignments on mixed types.
#include <stdio.h>
static int g = 1; static int *pg = &g; static int h(void) { return g++; }
static unsigned char uc = 200; static signed char sc = -100; static unsigned short us = 60000;
struct b { int a : 5; unsigned b : 5; long long c : 40; } bf = {-3, 30, -5};
int main(void) {
  int i = 3, j = 4; long l = 5; unsigned u = 6; double d = 1.5; float f = 2.5f; char c = 'x';
  printf("%d %d %d\n", uc + sc, uc * us, sc << 2);
  printf("%d %ld %g %g\n", i + j * 2 - (int)l % 3, l * i - u, d * i + f, (f - 1) / 2);
  printf("%d %d %d %d\n", bf.a + bf.b, bf.a < bf.b, bf.c < 0, (int)(bf.c >> 1));
  printf("%d %d\n", (bf.b + 5) > 30u, -bf.b < 0);
  printf("%d\n", (int)sizeof(bf.c + 0));
  i = j = 0; i += j++; i += ++j; printf("%d %d\n", i, j);
  int r = h() + h() * 10; printf("%d %d\n", r % 100 != 0, g);
  g = 5; *pg += g; printf("%d\n", g);
  g = g + *pg; printf("%d\n", g);
  int arr[3] = {1, 2, 3}, *p = arr; *p++ += 5; *p = *p + p[-1]; p[1] = p - arr; printf("%d %d %d\n", arr[0], arr[1], arr[2]);
  printf("%d\n", i++ < 5 && j-- > 0 || i);
  printf("%d %d %d\n", 5 == 5 == 1, 3 > 2 > 1, -1 < 0u);
  printf("%d %d\n", c ^ c << 1, ~c & 0xff);
  long long x = 0x7fffffff; x++; printf("%lld %d\n", x, (int)x);
  unsigned long long y = ~0u; y++; printf("%llu\n", y);
  x = u - 7; printf("%lld\n", x); x = u - 7l; printf("%lld\n", x);
  printf("%g %g %g\n", 7 / 2 * 2.0, 7 / 2.0 * 2, (double)7 / 2);
  printf("%d %d\n", (int)-2.7, (int)(unsigned char)-2.0 == 254 || 1);
  printf("%d\n", (i, j, 7));
  short s = -32768; s = -s; printf("%d %d\n", s, -(int)s);
  printf("%u %d\n", 3u - 5 > 0, 3 - 5 > 0);
  printf("%d\n", ((char)0x80 >> 7) + ((unsigned char)0x80 >> 7));
  i = 5; i ^= i << 3; i |= i >> 1; i %= 13; printf("%d\n", i);
  float ff = 0.1f; ff += 0.2; printf("%.9f %d\n", ff, ff == 0.3f);
  d = 10; d /= 4; d -= 1; i = 7; i /= 2.5; printf("%g %d\n", d, i);
  i = 2147483647; i += 1.0; printf("%d\n", i == -2147483647 - 1 || 1);
  c = 'a'; c += 1.9; printf("%c\n", c);
  uc = 255; uc += 1; uc--; printf("%d\n", uc);
  return 0; }
