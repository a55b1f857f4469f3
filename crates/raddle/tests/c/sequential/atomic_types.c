// _Atomic as a qualifier and as a specifier; operators and conversions on atomic objects.
#include <stdio.h>
#include <stdatomic.h>
static _Atomic int a = 5;
static _Atomic(unsigned char) b = 250;
static atomic_long c;
static _Atomic(int *) p;
static _Atomic double d = 1.5;
struct with { _Atomic short s; int plain; };
typedef _Atomic int counter;
int main(void) {
  int x[4] = {10, 20, 30, 40};
  a++;
  ++a;
  int old = a--;
  printf("%d %d\n", old, a);
  b += 10;
  old = b++;
  printf("%d %d\n", old, b);
  c = 1l << 40;
  c >>= 3;
  c |= 1;
  p = x;
  p++;
  p += 2;
  printf("%ld %d\n", c, *p);
  p--;
  d = d * 3;
  d = d - 0.25;
  printf("%d %g\n", p[-1], d);
  struct with w = {3, 4};
  w.s *= -7;
  w.s /= 2;
  printf("%d %d %d\n", w.s, (int)sizeof w, w.plain);
  counter k = 9;
  k %= 4;
  k ^= 6;
  k <<= 2;
  printf("%d %d\n", k, (a = 7) + 1);
  printf("%d ", atomic_fetch_add(&a, 3));
  printf("%d\n", atomic_load(&a));
  printf("%d ", atomic_exchange(&k, 2));
  printf("%d\n", k);
  int expected = 5;
  printf("%d ", atomic_compare_exchange_strong(&k, &expected, 8));
  printf("%d ", expected);
  printf("%d ", atomic_compare_exchange_strong(&k, &expected, 8));
  printf("%d\n", k);
  atomic_fetch_sub(&b, 10);
  printf("%d ", atomic_fetch_or(&k, 3));
  printf("%d ", atomic_fetch_and(&k, 6));
  printf("%d %d\n", atomic_fetch_xor(&k, 1), b);
  atomic_flag f = ATOMIC_FLAG_INIT;
  printf("%d ", atomic_flag_test_and_set(&f));
  printf("%d\n", atomic_flag_test_and_set(&f));
  _Bool is = (a = 0);
  return k + is;
}
