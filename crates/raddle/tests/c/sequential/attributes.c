// Attributes, __extension__, asm labels and alternative keywords in every place.
#include <stdio.h>
__attribute__((noinline)) static int f(int x __attribute__((unused))) { return 1; }
static int g(int) __attribute__((const, pure)) __attribute__((warn_unused_result));
static int g(int x) { return x + 1; }
struct __attribute__((aligned(16))) wide { char c; };
struct trailing { char c; int i; } __attribute__((packed)) trailing = {1, 2};
typedef int aligned_int __attribute__((aligned(8)));
int tagged __attribute__((section(".data"), used)) = 3;
static int __attribute__((unused)) *pointer, value __attribute__((aligned(64))) = 8;
void finish(void) __attribute__((noreturn));
enum __attribute__((unused)) e { X __attribute__((deprecated)), Y };
__extension__ typedef long long wide_int;
int renamed(void) __asm__("renamed_symbol");
int renamed(void) { return 21; }
void __attribute__((format(printf, 1, 2))) unused_log(const char *, ...);
static __inline__ int __attribute__((__always_inline__)) h(__const int x) { return x; }
int main(void) {
  int __attribute__((unused)) local = 4, other __attribute__((unused)) = 5;
  __attribute__((unused)) int third = 6;
  __volatile__ int v = __extension__ 7;
  __signed__ char c = -1;
  int *__restrict__ r = &local;
  switch (v) {
  case 7: local++; __attribute__((fallthrough));
  case 8: local++;
  }
  if (f(1)) goto out;
out: __attribute__((unused));
  printf("%d %d %d %d\n", (int)sizeof(struct wide), (int)sizeof trailing, (int)__alignof__(aligned_int), trailing.i);
  printf("%d %d %d %d\n", g(2), h(3), renamed(), *r);
  wide_int big = 1ll << 40;
  __typeof__(big) copy = big;
  __asm__ volatile("" ::: "memory");
  printf("%lld %d %d %d\n", copy, c, value, tagged);
  return Y;
}
