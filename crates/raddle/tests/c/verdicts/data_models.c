// true
// expect: explore true, oc true, cegar true, auto true
// What differs between the data models: sizes, layouts, conversions, the types of constants.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#define LP64 (sizeof(long) == 8)
struct a { char c; double d; };
struct b { char c; long l; short s; void *p; };
struct c { char c; long long l; int i; };
struct d { char c; long double l; };
struct e { long b : 20; long c : 20; };
union u { char c[5]; long long l; };
static long wrap = 2147483647;
int main(void) {
  assert(sizeof(void *) == sizeof(long) && sizeof(size_t) == sizeof(long) && sizeof(ptrdiff_t) == sizeof(long));
  assert(sizeof(int) == 4 && sizeof(long long) == 8 && sizeof(wchar_t) == 4);
  assert(sizeof(struct a) == (LP64 ? 16 : 12) && offsetof(struct a, d) == (LP64 ? 8 : 4));
  assert(sizeof(struct b) == (LP64 ? 32 : 16) && offsetof(struct b, p) == (LP64 ? 24 : 12));
  assert(sizeof(struct c) == (LP64 ? 24 : 16) && sizeof(struct d) == (LP64 ? 32 : 16));
  assert(sizeof(struct e) == (LP64 ? 8 : 8) && sizeof(union u) == 8 && sizeof(long double) == (LP64 ? 16 : 12));
  assert(__alignof__(long long) == 8 && __alignof__(double) == 8 && _Alignof(union u) == (LP64 ? 8 : 4));
  assert((-1L < 1u) == LP64);
  assert((1L << 20 << 12 == 0) == !LP64);
  wrap++;
  assert((wrap < 0) == !LP64);
  assert(sizeof(2147483648) == 8 && sizeof(0xffffffff) == 4 && sizeof(4294967296u) == 8 && sizeof(1l) == sizeof(long));
  assert(_Generic(2147483648, long: 1, long long: 0) == LP64);
  assert(_Generic((size_t)0, unsigned long: 1, unsigned: 0) == LP64);
  assert(_Generic((uint64_t)0, unsigned long: 1, unsigned long long: 0) == LP64);
  assert((long)3000000000u == (LP64 ? 3000000000ll : -1294967296ll));
  char *top = (char *)-16;
  assert((long long)(intptr_t)top == -16 && (unsigned long long)(uintptr_t)top == (LP64 ? -16ull : 4294967280ull));
  assert((long long)top == -16);
  int array[3], *p = array, *q = &array[2];
  assert(q - p == 2 && (uintptr_t)q - (uintptr_t)p == 8);
  assert((unsigned long)-1 == (LP64 ? 0xffffffffffffffffull : 0xffffffffull));
  return 0;
}
