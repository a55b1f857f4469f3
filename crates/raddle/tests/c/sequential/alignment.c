// _Alignas, _Alignof, _Static_assert, max_align_t, alignment of addresses and of members.
#include <stdio.h>
#include <stddef.h>
#include <stdalign.h>
#include <stdint.h>
_Static_assert(sizeof(int) == 4, "int");
_Static_assert(_Alignof(double) == 8);
struct padded { char c; _Alignas(16) char d; _Alignas(double) char e; };
static _Alignas(64) char line[3];
static alignas(32) int a, b;
struct asserts { int x; _Static_assert(sizeof(char) == 1, "in a struct"); int y; };
int main(void) {
  _Alignas(32) char local[5];
  alignas(long) char c;
  _Static_assert(1, "in a function");
  printf("%d %d %d\n", (int)sizeof(struct padded), (int)offsetof(struct padded, d), (int)offsetof(struct padded, e));
  printf("%d %d %d\n", (int)alignof(short), (int)_Alignof(struct padded), (int)__alignof__(char[3]));
  printf("%d %d\n", (int)((uintptr_t)line % 64), (int)((uintptr_t)&b % 32));
  printf("%d %d\n", (int)((uintptr_t)local % 16), (int)((uintptr_t)&c % 8));
  printf("%d %d\n", (int)__alignof__(local), (int)__alignof__ a);
  printf("%d %d\n", (int)_Alignof(max_align_t), (int)sizeof(struct asserts));
  printf("%d %d %d\n", (int)_Alignof(long double), (int)sizeof(long double), (int)_Alignof(long long));
  struct { char x; struct padded p; } outer;
  return (int)((char *)&outer.p - &outer.x);
}
