// Control flow in odd shapes.
#include <stdio.h>
static int f(int n) { for (;;) { switch (n) { case 0: return 1; case 1: n = 0; continue; case 2: break; default: n--; continue; } n--; } }
static int g(int n) { int r = 0; do { if (n & 1) continue; r += n; } while (n-- > 0); return r; }
static int h(const char *s) { int st = 0; while (*s) { switch (st) { case 0: if (*s == '"') st = 1; else if (*s == '\\') st = 2; break; case 1: if (*s == '"') st = 0; break; case 2: st = 0; } s++; } return st; }
static int k(int n) { int i = 0; while (1) { while (1) { if (i++ > n) goto out; if (i % 3 == 0) break; } if (i > 10) break; } return -i; out: return i; }
static int nest(int n) { if (n > 5) if (n > 10) return 2; else return 1; else if (n < 0) return -1; return 0; }
static int m(int x) { int r = 0; for (int i = 0; i < 3; i++) for (int j = i; j < 3; j++) { if (j == x) goto next; r += i * j; continue; next: r += 100; } return r; }
static int t(int x) { switch (x) { default: x++; if (0) { case 5: x += 10; } else { case 6: x += 20; } case 7: x += 100; } return x; }
static int w(int x) { switch (x) case 1: case 2: return 5; return 6; }
static int lab(int x) { int n = 0; a: n++; if (x-- > 0) goto a; b: if (n > 20) return n; n *= 2; goto b; }
static int e(int x) { return x > 0 ? x > 10 ? 3 : 2 : x < -10 ? 0 : 1; }
static int unused(void) { return 1; printf("dead"); for (;;) ; }
static int em(int x) { if (x) ; else ; for (; x; x--) ; while (x) ; do ; while (x); return x; }
static int sc(int x) { switch (x) { int y; case 1: y = 3; { case 2: y = 4; } return y; } return 0; }
static int big(unsigned x) { switch (x) { case 0x80000000: return 1; case 0xffffffff: return 2; case 0 ... 10: return 3; } return 4; }
static int neg(int x) { switch (x) { case -2147483647 - 1: return 1; case -1: return 2; case -10 ... -5: return 3; } return 4; }
static int cl(char c) { switch (c) { case 'a' ... 'f': return c - 'a' + 10; case '0' ... '9': return c - '0'; } return -1; }
int main(void) {
  printf("%d %d %d %d %d\n", f(5), g(7), h("a\"b\\"), k(4), k(50));
  printf("%d %d %d %d\n", nest(3), nest(7), nest(20), nest(-2));
  printf("%d %d %d %d %d\n", m(1), t(5), t(6), t(7), t(0));
  printf("%d %d %d %d %d\n", w(1), w(2), w(3), lab(3), e(5) + e(50) + e(-50));
  printf("%d %d %d %d\n", unused(), em(3), sc(1), sc(2));
  printf("%d %d %d %d\n", big(1u << 31), big(-1), big(7), big(11));
  printf("%d %d %d %d\n", neg(1 << 31), neg(-1), neg(-7), neg(0));
  printf("%d %d %d\n", cl('c'), cl('7'), cl('z'));
  return 0; }
