/* Computes every operator on every pair of the operands in values.h, and writes the results as 16-byte integers, in the order in
 * which against_gcc.rs asks for them. What C leaves undefined writes SKIP. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long i64;
typedef unsigned long u64;
typedef float f32;
typedef double f64;
typedef long double f80;

#define U128(high, low) (((u128)(high) << 64) | (low))
#define COUNT(array) (sizeof(array) / sizeof *(array))
#include "values.h"

static const u128 SKIP = U128(0xdeadbeefdeadbeefUL, 0xdeadbeefdeadbeefUL);

static void put(u128 x) { fwrite(&x, 16, 1, stdout); }

#define PUT(T, bytes)                                                                                                  \
    static void put_##T(T x) {                                                                                         \
        u128 bits = 0;                                                                                                 \
        memcpy(&bits, &x, bytes);                                                                                      \
        put(bits);                                                                                                     \
    }
PUT(f32, 4)
PUT(f64, 8)
PUT(f80, 10)

#define INTEGER(N)                                                                                                     \
    static void integer_##N(void) {                                                                                    \
        for (size_t i = 0; i < COUNT(values_##N); i++)                                                                 \
            for (size_t j = 0; j < COUNT(values_##N); j++) {                                                           \
                u##N a = values_##N[i], b = values_##N[j];                                                             \
                i##N x = a, y = b, r;                                                                                  \
                u##N ur;                                                                                               \
                int divides = b != 0 && !(y == -1 && x == (i##N)((u##N)1 << (N - 1)));                                 \
                put((u##N)(a + b));                                                                                    \
                put((u##N)(a - b));                                                                                    \
                put((u##N)((u128)a * b));                                                                              \
                put(b ? (u##N)(a / b) : SKIP);                                                                         \
                put(b ? (u##N)(a % b) : SKIP);                                                                         \
                put(divides ? (u##N)(x / y) : SKIP);                                                                   \
                put(divides ? (u##N)(x % y) : SKIP);                                                                   \
                put((u##N)(a & b));                                                                                    \
                put((u##N)(a | b));                                                                                    \
                put((u##N)(a ^ b));                                                                                    \
                put(b < N ? (u##N)((u##N)a << b) : SKIP);                                                              \
                put(b < N ? (u##N)((u##N)a >> b) : SKIP);                                                              \
                put(b < N ? (u##N)(x >> b) : SKIP);                                                                    \
                put(a < b);                                                                                            \
                put(a <= b);                                                                                           \
                put(x < y);                                                                                            \
                put(x <= y);                                                                                           \
                put(a == b);                                                                                           \
                put(__builtin_add_overflow(x, y, &r));                                                                 \
                put(__builtin_sub_overflow(x, y, &r));                                                                 \
                put(__builtin_mul_overflow(x, y, &r));                                                                 \
                put(__builtin_mul_overflow(a, b, &ur));                                                                \
                if (j > 0)                                                                                             \
                    continue;                                                                                          \
                put((u##N)~a);                                                                                         \
                put((u##N)-a);                                                                                         \
                put((u8)a), put((u16)a), put((u32)a), put((u64)a), put((u128)a);                                       \
                put((u8)x), put((u16)x), put((u32)x), put((u64)x), put((u128)x);                                       \
                put_f32((f32)x), put_f64((f64)x), put_f80((f80)x);                                                     \
                put_f32((f32)a), put_f64((f64)a), put_f80((f80)a);                                                     \
            }                                                                                                          \
    }
INTEGER(8)
INTEGER(16)
INTEGER(32)
INTEGER(64)
INTEGER(128)

#define FLOAT(T, S)                                                                                                    \
    static void float_##T(void) {                                                                                      \
        for (size_t i = 0; i < COUNT(values_##T); i++)                                                                 \
            for (size_t j = 0; j < COUNT(values_##T); j++) {                                                           \
                T a, b, c;                                                                                             \
                memcpy(&a, &values_##T[i], sizeof a);                                                                  \
                memcpy(&b, &values_##T[j], sizeof b);                                                                  \
                memcpy(&c, &values_##T[(i * 31 + j * 17) % COUNT(values_##T)], sizeof c);                              \
                put_##T(a + b);                                                                                        \
                put_##T(a - b);                                                                                        \
                put_##T(a * b);                                                                                        \
                put_##T(a / b);                                                                                        \
                put_##T(fmod##S(a, b));                                                                                \
                put(a == b);                                                                                           \
                put(a < b);                                                                                            \
                put(a <= b);                                                                                           \
                put_##T(fma##S(a, b, c));                                                                              \
                put_##T(fma##S(a, b, -(a * b)));                                                                       \
                if (j > 0)                                                                                             \
                    continue;                                                                                          \
                put_##T(-a);                                                                                           \
                put_##T(fabs##S(a));                                                                                   \
                put_##T(sqrt##S(a));                                                                                   \
                put_##T(rint##S(a));                                                                                   \
                put_##T(trunc##S(a));                                                                                  \
                put_##T(ceil##S(a));                                                                                   \
                put_##T(floor##S(a));                                                                                  \
                put_##T(round##S(a));                                                                                  \
                put(isnan(a) != 0);                                                                                    \
                put(isinf(a) != 0);                                                                                    \
                put(a == 0);                                                                                           \
                put(isnormal(a) != 0);                                                                                 \
                put(fpclassify(a) == FP_SUBNORMAL);                                                                    \
                put(signbit(a) != 0);                                                                                  \
                put((u8)(i8)a), put((u16)(i16)a), put((u32)(i32)a), put((u64)(i64)a), put((u128)(i128)a);              \
                put((u8)a), put((u16)a), put((u32)a), put((u64)a), put((u128)a);                                       \
                put_f32((f32)a), put_f64((f64)a), put_f80((f80)a);                                                     \
            }                                                                                                          \
    }
FLOAT(f32, f)
FLOAT(f64, )
FLOAT(f80, l)

int main(void) {
    integer_8(), integer_16(), integer_32(), integer_64(), integer_128();
    float_f32(), float_f64(), float_f80();
}
