// strtod and its kin: correctly rounded, with end and errno.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = 9;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static const char *texts[] = {
  "", "-", ".", "-.", ".e1", "1e", "1e+", "1e-x", "0", "-0", "0x", "0x.", "0x.p1", "0x1p", "0x1p-", "0x1.8p1z", "inf", "-Infinity", "infinit", "nan",
  "nan(12)x", "nan(1.2)", "in", "na", "  +1.5e1x", "1..2", "1e5.5", "3.14159265358979323846", "2.2250738585072014e-308", "2.2250738585072011e-308",
  "2.2250738585072012e-308", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
  "1.7976931348623158e308", "1.7976931348623159e308", "1e308", "1e309", "-1e400", "1e-400", "9007199254740993", "9007199254740992.5",
  "9007199254740993.00000000000000000000000000000000000001", "9007199254740995", "0.1", "123456789012345678901234567890", "3.4028235e38", "3.4028236e38",
  "1.17549435e-38", "1.1754943e-38", "1.4e-45", "0.7e-45", "16777217", "16777219", "16777217.0000001", "0x1.fffffep127", "0x1.ffffffp127",
  "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "0x0.0000000000001p-1022", "0x1p-1075", "0x1.8p-1075", "0x123456789abcdef123456789",
  "0x1.00000000000008p0", "0x1.000000000000080000000001p0", "0x1.00000000000018p0", "1e23", "8.5e22", "0.000000000000000000000000000001", "1e+005",
  "0x1p-16445", "18446744073709551615", "18446744073709551616.5", "0.30000000000000000001",
};

static void all(const char *s) {
  char *end;
  errno = 0;
  double d = strtod(s, &end);
  printf("%.17g [%s] %d ", d, end, errno);
  errno = 0;
  float f = strtof(s, &end);
  printf("%.9g [%s] %d ", f, end, errno);
  errno = 0;
  long double l = strtold(s, &end);
  printf("%.21Lg [%s] %d\n", l, end, errno);
}

int main(void) {
  for (int i = 0; i < sizeof texts / sizeof *texts; i++) all(texts[i]);
  char s[40];
  for (int i = 0; i < 40; i++) {
    int n = 1 + next(20), point = next(n + 1), k = 0;
    if (next(4) == 0) s[k++] = '-';
    for (int j = 0; j < n; j++) {
      if (j == point) s[k++] = '.';
      s[k++] = '0' + next(10);
    }
    s[k] = 0;
    if (next(2)) {
      int e = next(60);
      s[k++] = 'e';
      if (next(2)) s[k++] = '-';
      s[k++] = '0' + e / 10;
      s[k++] = '0' + e % 10;
      s[k] = 0;
    }
    all(s);
    printf("%.17g\n", atof(s));
  }
  return 0;
}
