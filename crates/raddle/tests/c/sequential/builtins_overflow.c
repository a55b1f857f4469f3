// __builtin_*_overflow: infinite-precision result against the type that it is stored in.
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
#define test(op, a, b, type) do { type r; int o = __builtin_##op##_overflow(a, b, &r); printf("%d %lld\n", o, (long long)r); } while (0)
int main(void) {
  test(add, INT_MAX, 1, int);
  test(add, INT_MAX, 1, long);
  test(add, 1u, -2, unsigned);
  test(add, 1u, -1, unsigned);
  test(add, UINT_MAX, 1, int);
  test(add, 200, 100, unsigned char);
  test(add, -100, -100, signed char);
  test(sub, 0u, 1u, unsigned);
  test(sub, 0u, 1u, int);
  test(sub, INT_MIN, 1, int);
  test(sub, LLONG_MIN, 1, long long);
  test(sub, 5, ULLONG_MAX, long long);
  test(mul, 65536, 65536, int);
  test(mul, 65536, 65536, long);
  test(mul, 65536u, 65535u, unsigned);
  test(mul, LLONG_MAX, 2, long long);
  test(mul, ULLONG_MAX, ULLONG_MAX, unsigned long long);
  test(mul, -1, INT_MIN, int);
  test(mul, -1, 5u, unsigned);
  test(mul, 0, -5, unsigned);
  test(add, ULLONG_MAX, -1, unsigned long long);
  test(mul, LLONG_MIN, LLONG_MIN, unsigned long long);
  int s;
  unsigned u;
  long l;
  unsigned long long ull;
  printf("%d ", __builtin_sadd_overflow(INT_MAX, INT_MAX, &s));
  printf("%d ", s);
  printf("%d ", __builtin_umul_overflow(3, 4, &u));
  printf("%u ", u);
  printf("%d ", __builtin_ssubl_overflow(LONG_MIN, 1, &l));
  printf("%ld ", l);
  printf("%d ", __builtin_uaddll_overflow(ULLONG_MAX, 2, &ull));
  printf("%llu\n", ull);
  printf("%d %d %d\n", __builtin_add_overflow_p(INT_MAX, 1, (int)0), __builtin_mul_overflow_p(2, 3, (char)0),
         __builtin_sub_overflow_p(0, 1, 0u));
  int16_t h = 30000;
  int overflowed = __builtin_add_overflow(h, h, &h);
  return overflowed ? (unsigned char)h : 0;
}
