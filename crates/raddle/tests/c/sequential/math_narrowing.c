// Functions of <math.h> with a result narrower than their operands round once.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void show(double x) {
  unsigned long long bits;
  memcpy(&bits, &x, 8);
  if (x != x)
    printf(" nan e%d", errno);
  else
    printf(" %llx e%d", bits, errno);
  errno = 0;
}
static unsigned long long state = 14;
static unsigned long long draw(void) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return state >> 11;
}
/* Few bits, so that results are often near the middle between two. */
static long double some(int wide) {
  long double x = 1 + (long double)(draw() & 7) / 4;
  if (draw() & 1)
    x += ldexpl(1, -(int)(draw() % 30));
  if (draw() & 1)
    x -= ldexpl(1, -(int)(draw() % 64));
  if (draw() % 8 == 0)
    x = (long double)draw() / 3;
  if (draw() % 4 == 0)
    x = ldexpl(x, (int)(draw() % wide) - wide / 2);
  return draw() & 1 ? x : -x;
}
static void check(long double x, long double y, long double z) {
  double a = x, b = y, c = z;
  show(fadd(a, b)), show(fsub(a, b)), show(fmul(a, b)), show(fdiv(a, b)), show(fsqrt(a)), show(ffma(a, b, c)), puts("");
  show(faddl(x, y)), show(fsubl(x, y)), show(fmull(x, y)), show(fdivl(x, y)), show(fsqrtl(x)), show(ffmal(x, y, z)), puts("");
  show(daddl(x, y)), show(dsubl(x, y)), show(dmull(x, y)), show(ddivl(x, y)), show(dsqrtl(x)), show(dfmal(x, y, z)), puts("");
}
static void any(int wide) {
  long double x = some(wide);
  long double y = some(wide);
  check(x, y, some(wide));
}
int main(void) {
  for (int i = 0; i < 120; i++)
    any(260);
  for (int i = 0; i < 60; i++)
    any(32000);
  for (int i = 0; i < 60; i++) {
    long double x = some(60);
    long double y = some(60);
    long double z = -x * y;
    check(x, y, z);
    check(x, -x, z);
    check(x, y, z * (1 + ldexpl(1, -(int)(draw() % 64))));
  }
  long double v[] = {0, -0.0L, 1, INFINITY, -INFINITY, NAN, 1e300L, 1e-4940L, 1e4930L, 5e-324L, 1 + 0x1p-53L, 0x1p-16445L, 1 + 0x1p-24L, 0x1p-8000L};
  for (int i = 0; i < 14; i++)
    for (int j = 0; j < 14; j++)
      check(v[i], v[j], v[(i + 3 * j) % 14]);
  return 0;
}
