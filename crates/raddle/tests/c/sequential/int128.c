// __int128: arithmetic, shifts, comparison, conversion, passing and returning.
#include <stdio.h>
typedef __int128 wide;
typedef unsigned __int128 uwide;
static void show(uwide x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
static uwide multiply(unsigned long long a, unsigned long long b) { return (uwide)a * b; }
static wide factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
static void digits(uwide x) { if (x > 9) digits(x / 10); putchar('0' + (int)(x % 10)); }
struct s { char c; wide w; };
static uwide global = (uwide)1 << 100;
int main(void) {
  wide a = -5, b = ((wide)1 << 70) + 3;
  show(a); show(b); show(a * b); show(b / a); show(b % a); show(-b >> 3); show((uwide)-b >> 3);
  show(a << 90); show(a & b); show(a ^ b); show(~a | b);
  show(multiply(~0ull, ~0ull));
  digits(factorial(33));
  putchar('\n');
  printf("%d %d %d\n", a < b, (uwide)a < (uwide)b, a == -5);
  printf("%d %d\n", (int)sizeof(wide), (int)sizeof(struct s));
  struct s s = {1, b};
  s.w++;
  s.w += s.c;
  show(s.w); show(global); show(global-- / 3); show(global);
  printf("%lld %d %u\n", (long long)(b - 3 >> 40), (int)b, (unsigned)(a * 2));
  show((wide)-1ll); show((uwide)-1); show((wide)0xffffffffu); show((wide)(int)0x80000000);
  printf("%.1f %.1f\n", (double)b, (double)a);
  show((wide)1e30); show((uwide)3e38f);
  wide array[3] = {1, 2, 3};
  array[2] -= array[0] << 127;
  show(array[2]);
  if (b && !(a + 5)) printf("truth\n");
  switch ((int)(b % 10)) { case 7: printf("seven\n"); }
  return (int)(b % 100);
}
