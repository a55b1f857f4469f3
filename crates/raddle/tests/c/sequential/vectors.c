// GNU C's vectors: operators on all elements, elements as lvalues, casts that keep the bytes, shuffles, and every way to pass one around.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef unsigned u4 __attribute__((vector_size(16)));
typedef signed char b16 __attribute__((vector_size(16)));
typedef unsigned char c8 __attribute__((vector_size(8)));
typedef short s8 __attribute__((vector_size(16)));
typedef long long l2 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef double d4 __attribute__((vector_size(32)));
typedef int v8 __attribute__((vector_size(32)));

static void show(const char *text, const void *bytes, int size) {
  const unsigned char *byte = bytes;
  printf("%s =", text);
  for (int i = 0; i < size; i++) printf(" %02x", byte[i]);
  printf("\n");
}
#define SHOW(...) do { __typeof__(__VA_ARGS__) shown = (__VA_ARGS__); show(#__VA_ARGS__, &shown, sizeof shown); } while (0)

static v4 global = {1, -2, 3}, list[2] = {1, 2, 3, 4, 5, 6, 7, 8}, copy = (v4){9, 8, 7, 6};
static const f4 constant = {1.5f, -0.0f};
struct box { char tag; v4 v; d2 d; } box = {'x', {1, 2, 3, 4}, {0.5}};
union pun { v4 v; int i[4]; short s[8]; f4 f; };

static v4 twice(v4 v) { return v + v; }
static f4 old_style(v, x) f4 v; float x; { return v * x; }
static __attribute__((vector_size(16))) int attributed(int x) { return (v4){x, x, x, x}; }
static v4 sum(int n, ...) {
  va_list arguments;
  v4 result = {0};
  va_start(arguments, n);
  for (int i = 0; i < n; i++) result += va_arg(arguments, v4);
  va_end(arguments);
  return result;
}

static void integers(v4 a, v4 b, u4 u, b16 c, s8 s) {
  SHOW(a + b); SHOW(a - b); SHOW(a * b); SHOW(a / b); SHOW(a % b); SHOW(a & b); SHOW(a | b); SHOW(a ^ b);
  SHOW(a << 3); SHOW(a >> 1); SHOW(u >> 1); SHOW(1 << (b & 7)); SHOW(a << (b & 31)); SHOW(-a); SHOW(~a); SHOW(+a);
  SHOW(a == b); SHOW(a != b); SHOW(a < b); SHOW(u > 7); SHOW(a >= 2); SHOW(5 - a); SHOW(a * 3); SHOW(a + u); SHOW(u / a);
  SHOW(c + c); SHOW(c * c); SHOW(c / 3); SHOW(c > 0); SHOW(c >> 2); SHOW(s * s); SHOW(s << 4); SHOW(-s);
}

static void floats(f4 f, f4 g, d2 d) {
  SHOW(f + g); SHOW(f * g); SHOW(f / g); SHOW(f - 1); SHOW(2 * f); SHOW(f < g); SHOW(f == f); SHOW(-f); SHOW(d / 3); SHOW(d != d);
  SHOW(__builtin_convertvector(f, v4)); SHOW(__builtin_convertvector(d, l2)); SHOW(__builtin_convertvector(global, f4));
  SHOW(__builtin_convertvector((v4){1, -1, 5}, d4)); SHOW(constant);
}

static void objects(v4 a, v4 b, int i) {
  v4 v = a, *p = &v;
  v[1] = 10; v[i] = 20; v[i + 1]++; (*p)[0] -= 3; SHOW(v);
  v += 1; v *= b; v <<= 1; SHOW(v); v++; SHOW(v--); SHOW(--v);
  printf("%d %d %d\n", (a + b)[2], (a * b)[i], p[0][1]);
  SHOW((s8)a); SHOW((f4)(v4){0x3f800000, 0x40000000}); SHOW((long long)(c8){1, 2, 3}); SHOW((c8)0x0102030405060708LL); SHOW((l2)a);
  SHOW((u4)(a < b)); SHOW((b16)(d2){1, 2});
  union pun pun = {.v = a};
  pun.i[2] = 77; pun.s[0] = -1; SHOW(pun.v); SHOW(pun.f);
  SHOW(__builtin_shuffle(a, (v4){3, 2, 1, 0})); SHOW(__builtin_shuffle(a, b)); SHOW(__builtin_shuffle(a, b, (v4){0, 4, i, 13}));
  SHOW(__builtin_shufflevector(a, b, 0, 5, 2, 7)); SHOW(__builtin_shufflevector(a, b, 7, 0)); SHOW(__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7));
  SHOW(i ? a : b); SHOW(twice(a)); SHOW(old_style((f4){1, 2, 3, 4}, 0.5f)); SHOW(attributed(i)); SHOW(sum(3, a, b, a));
  SHOW(global); SHOW(list[1]); SHOW(copy); SHOW(box.v); SHOW(box.d); SHOW(({ v4 t = a; t[0] = 1; t; }));
  v8 wide = {1, 2, 3, 4, 5, 6, 7, 8};
  v4 halves[2];
  memcpy(halves, &wide, sizeof wide);
  SHOW(halves[1]);
}

int main(void) {
  integers((v4){7, -8, 9, 2147483647}, (v4){3, 3, -4, 2}, (u4){1, 0x80000000, 7, 9}, (b16){1, -1, 127, -128, 50}, (s8){300, -300, 32767, -32768});
  floats((f4){1, 2.5f, -0.0f, 1e30f}, (f4){3, 0.1f, 0, 1e30f}, (d2){1, -7});
  objects((v4){1, 2, 3, 4}, (v4){5, 6, 7, 8}, 2);
  printf("%d %d %d %d\n", (int)sizeof(v4), (int)_Alignof(v4), (int)_Alignof(struct box), (int)__builtin_offsetof(struct box, d));
  printf("%d\n", _Generic(global < list[0], v4: 1, default: 2));
  return 0;
}
