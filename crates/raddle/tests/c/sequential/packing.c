// Layouts under #pragma pack and packed and aligned attributes; bit-fields that cross words.
#include <stdio.h>
#include <stddef.h>
#pragma pack(push, 1)
struct a { char c; int i; short s; double d; };
struct bits { char c; int b : 20; int d : 20; unsigned e : 3; };
#pragma pack(2)
struct b { char c; int i; long long l; };
#pragma pack(pop)
struct c { char c; int i; };
#pragma pack(4)
struct d { char c; double d; };
#pragma pack()
struct e { char c; double d; };
struct __attribute__((packed)) wide { unsigned char a : 4; unsigned long long b : 62; unsigned char c; };
struct part { char a; int b __attribute__((packed)); short c __attribute__((aligned(8))); };
int main(void) {
  printf("%zu %zu %zu %zu %zu %zu\n", sizeof(struct a), sizeof(struct bits), sizeof(struct b), sizeof(struct c), sizeof(struct d), sizeof(struct e));
  struct a a = {1, 2, 3, 4.5};
  struct a *p = &a;
  p->i += 5; p->d *= 2;
  printf("%d %d %d %g %zu\n", a.c, a.i, a.s, a.d, offsetof(struct a, d));
  struct bits b = {1, -5, 300000, 5};
  b.d++; b.b--; b.e += 4;
  printf("%d %d %d %u\n", b.c, b.b, b.d, b.e);
  struct wide w = {9, 0x3123456789abcdefull, 7};
  w.b += 1; w.a++; w.c--;
  printf("%zu %d %llx %d\n", sizeof w, w.a, (unsigned long long)w.b, w.c);
  printf("%zu %zu %zu\n", sizeof(struct part), offsetof(struct part, b), offsetof(struct part, c));
  return 0;
}
