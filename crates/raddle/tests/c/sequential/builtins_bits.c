// Builtins on bits: byte swaps, counting, parity, first set bit, rotation idioms.
#include <stdio.h>
static unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }
int main(void) {
  unsigned u[] = {1, 0x80000000, 0x12345678, 0xffffffff, 6};
  unsigned long long l[] = {1, 1ull << 63, 0x123456789abcdef0, ~0ull, 48};
  for (int i = 0; i < 5; i++) {
    printf("%d %d %d %d %d | ", __builtin_clz(u[i]), __builtin_ctz(u[i]), __builtin_popcount(u[i]),
           __builtin_parity(u[i]), __builtin_ffs(u[i]));
    printf("%d %d %d %d %d\n", __builtin_clzll(l[i]), __builtin_ctzll(l[i]), __builtin_popcountll(l[i]),
           __builtin_parityll(l[i]), __builtin_ffsll(l[i]));
  }
  printf("%d %d %d\n", __builtin_ffs(0), __builtin_ffsl(0), __builtin_popcount(0));
  printf("%d %d %d\n", __builtin_clzl(5), __builtin_ctzl(40), __builtin_popcountl(-1l));
  printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(u[2]), (unsigned long long)__builtin_bswap64(l[2]));
  printf("%d %d %d\n", __builtin_clrsb(0), __builtin_clrsb(-8), __builtin_clrsbll(1ll << 40));
  printf("%x %x\n", rotate(u[2], 8), rotate(u[2], 28));
  printf("%ld %d\n", __builtin_expect(u[0] == 1, 1), (int)__builtin_expect(7, 0));
  printf("%d %ld %lld\n", __builtin_abs(-5), __builtin_labs(-6l), __builtin_llabs(-7));
  printf("%d %d\n", (int)__builtin_strlen("four"), __builtin_memcmp("ab", "ac", 2) < 0);
  char text[8];
  __builtin_memset(text, 'z', 7);
  text[7] = 0;
  __builtin_memcpy(text, "ab", 2);
  printf("%s %d\n", text, __builtin_isnan(0.0 / 0.0));
  int x = 3;
  if (__builtin_expect(x > 5, 0)) __builtin_unreachable();
  __builtin_prefetch(text);
  int *p = __builtin_assume_aligned(&x, 4);
  void *room = __builtin_alloca(16);
  return *p + (room != 0);
}
