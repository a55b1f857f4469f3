// Text in memory taken apart: every conversion, width, suppression, and where it ends.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const texts[] = {"",      "  ",     "12",     " -34x",      "0x1f",  "0xg",      "012",  "+",     "-",        "abc",      "12 34",
                                    "99999999999999999999", "-99999999999999999999", "1.5", "1e", "1e+", "1e5x", ".5", ".", "inf", "infinity", "infi", "nan",
                                    "0x1.8p3", "(nil)", "a,b", "%5", "5%"};

static int list(const char *text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int done = vsscanf(text, format, arguments);
  va_end(arguments);
  return done;
}

static void integers(const char *t)
{
  static const char *const formats[] = {"%d%n", "%i%n", "%x%n", "%o%n", "%u%n", "%2d%n", "%*d%n", "%3x%n", "%1i%n"};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    int x = -7, n = -1;
    int done = strchr(formats[i], '*') ? sscanf(t, formats[i], &n) : sscanf(t, formats[i], &x, &n);
    printf("%d %d %d;", done, x, n);
  }
  long l = -7;
  long long ll = -7;
  short h = -7;
  signed char hh = -7;
  size_t z = 7;
  void *p = &p;
  printf("%d", sscanf(t, "%ld", &l));
  printf(" %ld;", l);
  printf("%d %d %d %d %d", sscanf(t, "%lld", &ll), sscanf(t, "%hd", &h), sscanf(t, "%hhu", &hh), sscanf(t, "%zx", &z), list(t, "%p", &p));
  printf(" %lld %d %d %zu %d\n", ll, h, hh, z, p == 0);
}

static void reals(const char *t)
{
  float f = -1;
  double d = -1;
  long double l = -1;
  int a = -1, b = -1;
  printf("%d", sscanf(t, "%f%n", &f, &a));
  printf("%d", sscanf(t, "%3lg%n", &d, &b));
  printf("%d", list(t, "%La", &l));
  printf(" %g %g %Lg %d %d\n", f, d, l, a, b);
}

static void words(const char *t)
{
  static const char *const formats[] = {"%7s", "%2s", "%c", "%3c", "%[a-c,]", "%2[^,]", "%[]x0-9]", "%*c%s", " %s", "a%s", "%%%s", "%*2[0-9x]%s"};
  for (unsigned i = 0; i < sizeof formats / sizeof *formats; i++) {
    char text[40] = "##################";
    printf("%d %.20s;", sscanf(t, formats[i], text), text);
  }
  char *made = 0;
  printf("%d", sscanf(t, "%m[^ ]", &made));
  printf(" %s\n", made ? made : "none");
  free(made);
}

int main(void)
{
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    integers(texts[i]);
    reals(texts[i]);
    words(texts[i]);
  }
  int day, year;
  char month[10];
  printf("%d", sscanf("25 December 2023", "%d %9s %d", &day, month, &year));
  printf(" %d %s %d\n", day, month, year);
  printf("%d", sscanf("key = value", "%9[a-z] = %d", month, &day));
  printf(" %s\n", month);
  return 0;
}
