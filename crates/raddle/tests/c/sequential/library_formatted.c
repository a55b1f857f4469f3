// Formatted text in memory: every conversion, flag and length, with room and without.
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char text[400];
#define show(room, ...) \
  do { \
    memset(text, '#', 20); \
    int length = snprintf(text, room, __VA_ARGS__); \
    printf("%d [%s]\n", length, (room) ? text : "-"); \
  } while (0)

static int through_a_list(char *to, size_t n, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = to ? vsnprintf(to, n, format, list) : -1;
  va_end(list);
  return length;
}

static int printed(char *to, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = vsprintf(to, format, list);
  va_end(list);
  return length;
}

static char *allocated(const char *format, ...)
{
  va_list list;
  char *to;
  va_start(list, format);
  int length = vasprintf(&to, format, list);
  va_end(list);
  return length < 0 ? 0 : to;
}

static void integers(void)
{
  static const char *const formats[] = {"%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d", "%8.3d|", "%-8.3d|", "%08.3d", "%.0d|", "%u", "%x", "%#x", "%X", "%#X",
                                        "%#012x", "%o", "%#o", "%#.0x", "%#.0o", "%hhd", "%hd", "%hhu", "%hu", "%hhx", "%i"};
  static const int values[] = {0, 1, -1, 9, 10, -42, 255, 1000, 123456, INT_MAX, INT_MIN};
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned v = 0; v < sizeof values / sizeof *values; v++)
      show(sizeof text, formats[f], values[v]);
  show(100, "%ld %lu %lx %lo", LONG_MIN, ULONG_MAX, LONG_MAX, 8l);
  show(100, "%lld %llu %jd %ju %zu %zd %td %qd", LLONG_MIN, ULLONG_MAX, (intmax_t)-1, (uintmax_t)1, (size_t)2, (size_t)3, (ptrdiff_t)-4, 5ll);
  show(100, "%*d|%-*d|%*d|%.*d|%.*d|%*.*d", 4, 1, 4, 2, -4, 3, 3, 4, -3, 5, 5, 3, 6);
}

static void texts(void)
{
  char *nothing = 0;
  short h;
  signed char hh;
  long l;
  int n;
  show(100, "%s|%5s|%-5s|%.2s|%5.1s|%.0s|%s", "abc", "abc", "abc", "abc", "abc", "abc", "");
  show(100, "%.*s|%*s", 2, "hello", -6, "x");
  show(100, "%c%c|%3c|%-3c|%%|%5%|", 'a', 'b', 'c', 'd');
  show(100, "%s %10s %.3s|%.6s", nothing, nothing, nothing, nothing);
  show(100, "%ls %.2ls %5ls %lc", L"wide", L"wide", L"w", L'c');
  show(100, "%p %8p %-8p|", nothing, nothing, nothing);
  show(100, "%p %12p %-12p| %.8p %+p", (void *)0x1234, (void *)0xabc, (void *)1, (void *)0xff, (void *)0xff);
  show(100, "abc%n%d%hhn%s%hn%ln", &n, 12345, &hh, "xyz", &h, &l);
  printf("%d %d %d %ld\n", n, hh, h, l);
  for (int room = 0; room < 8; room++) {
    show(room, "%d", 123456);
    show(room, "%s", "hello");
    show(room, "a%cb%5d", 'x', -3);
  }
  printf("%d", snprintf(0, 0, "%s %d", "length", 12));
  printf("%d [%s]\n", sprintf(text, "%s=%d;", "x", 5), text);
  printf("%d [%s]\n", through_a_list(text, 5, "%s-%ld-%c", "ab", 123456789012l, 'c'), text);
  printf("%d [%s]\n", printed(text, "%s-%llx-%c", "ab", 123456789012ll, 'c'), text);
  printf("%d [%s]", through_a_list(text, 9, "%s%n-%hn", "ab", &n, &h), text);
  printf(" %d %d\n", n, h);
  char *made = allocated("%d, %s", 17, "seventeen"), *other;
  n = asprintf(&other, "%s%%%u", made, 3u);
  printf("%d %s %s\n", n, made, other);
  printf("%d %s\n", __builtin___snprintf_chk(text, 20, 0, 400, "%d:%d", 1, 2), text);
  printf("%d %s\n", __builtin___sprintf_chk(text, 0, 400, "%d;%d", 1, 2), text);
  free(made);
  free(other);
}

static void reals(void)
{
  static const char *const formats[] = {"%f", "%.0f", "%.2f", "%10.3f|", "%-10.1f|", "%010.2f", "%+.1f", "% f", "%#.0f", "%e", "%.0e", "%.3E", "%g", "%.3g", "%#g", "%G", "%.10g", "%a", "%.2a", "%A", "%.20f",
                                        "%.17g"};
  static const double values[] = {0, -0.0, 1, -1.5, 2.5, 0.5, 0.1, 9.995, 99.5, 123456.789, 1e6, 1e-5, 0.0001, 1e15, 1e22, 5e-324, 1.7976931348623157e308, 1.0 / 3};
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned v = 0; v < sizeof values / sizeof *values; v++)
      show(sizeof text, formats[f], values[v]);
  show(100, "%f %F %5.1f| %-6e| %g %05f", __builtin_inf(), -__builtin_inf(), __builtin_inf(), __builtin_inf(), __builtin_nan(""), __builtin_nan(""));
  show(100, "%Lf %.20Lg %La %Le %.2La", 1.5L, 1 / 3.0L, 3.0L, 1e4000L, 15.99L);
  show(100, "%.3Lg %La %.30Lf", 3.6e-4951L, 1e-4940L, 0.1L);
  show(100, "%.*f|%*.*e", 2, 3.14159, 12, 3, 31415.9);
}

int main(void)
{
  integers();
  texts();
  reals();
}
