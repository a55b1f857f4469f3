// strtol and its kin on texts from a generator: the value, where it ends, and errno.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned seed = 5;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static const char *texts[] = {
  "", " ", "-", "+", "0", "-0", "0x", "0X1f", "0xg", "08", "017", "-0x10", "+12", " \t\n42abc", "--1", "+-1", "z", "Zz", "0b101",
  "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "-4294967295", "9223372036854775807",
  "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1",
  "-18446744073709551615", "-18446744073709551616", "99999999999999999999999", "-99999999999999999999999", "0x7fffffffffffffff",
  "0xffffffffffffffff", "0x10000000000000000", "1.5", "\v7", "\xa0" "5", "0x 1", "- 1",
};
static const int bases[] = {0, 10, 16, 8, 2, 36, 3, 1, -1, 37};

static void all(const char *s, int base) {
  char *end = "unset";
  errno = 0;
  long a = strtol(s, &end, base);
  printf("%ld [%s] %d ", a, end, errno);
  errno = 0;
  unsigned long b = strtoul(s, &end, base);
  printf("%lu [%s] %d ", b, end, errno);
  errno = 7;
  long long c = strtoll(s, 0, base);
  unsigned long long d = strtoull(s, &end, base);
  printf("%lld %llu [%s] %d\n", c, d, end, errno);
}

int main(void) {
  for (int i = 0; i < sizeof texts / sizeof *texts; i++)
    for (int j = 0; j < (i % 4 == 0 ? 10 : 3); j++) all(texts[i], bases[j]);
  char s[30];
  for (int i = 0; i < 40; i++) {
    int n = next(24), k = 0;
    if (next(2)) s[k++] = '-';
    if (next(3) == 0) s[k++] = '0';
    for (; k < n; k++) s[k] = "0123456789abcdefxz"[next(next(2) ? 10 : 18)];
    s[k] = 0;
    all(s, bases[next(7)]);
    printf("%d %ld %lld %" PRIdMAX " %" PRIuMAX "\n", atoi(s), atol(s), atoll(s), strtoimax(s, 0, 10), strtoumax(s, 0, 16));
  }
  for (int i = 0; i < 30; i++) {
    int a = next(30000) * 70000u, b = next(500) + 1;
    div_t q = div(a, b);
    ldiv_t r = ldiv(a, -b);
    lldiv_t t = lldiv(-a * 1000ll, b);
    imaxdiv_t u = imaxdiv(a, b);
    printf("%d %d %ld %ld %lld %lld %jd %jd ", q.quot, q.rem, r.quot, r.rem, t.quot, t.rem, u.quot, u.rem);
    printf("%d %ld %lld %jd\n", abs(a), labs(a), llabs(-a), imaxabs(a));
  }
  for (int i = 0; i < 30; i++) {
    long n = (next(65536) << 16 | next(65536)) >> next(32);
    printf("%s ", l64a(n));
    printf("%d ", a64l(l64a(n)) == n);
    for (int k = 0; k < 8; k++) s[k] = "./019AZaz-"[next(k == 7 ? 1 : 10)];
    s[7] = 0;
    printf("%ld\n", a64l(s));
  }
  printf("[%s] %ld\n", l64a(0), a64l(""));
  return 0;
}
