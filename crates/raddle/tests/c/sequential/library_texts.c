// Numbers and dates as text: strfromd, gcvt, strftime.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int strfromd(char *, size_t, const char *, double);
int strfromf(char *, size_t, const char *, float);
int strfroml(char *, size_t, const char *, long double);

static char text[200];

static void numbers(void)
{
  static const char *const formats[] = {"%f", "%.2f", "%e", "%.0E", "%g", "%.3G", "%a", "%.2A"};
  static const double values[] = {0, -1.5, 3.14159265358979, 1e20, 1e-7, 123456789, 0.1, 5e-324};
  for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++)
    for (unsigned v = 0; v < sizeof values / sizeof *values; v++) {
      printf("%d ", strfromd(text, 100, formats[f], values[v]));
      printf("%s ", text);
      printf("%d ", strfromf(text, 8, formats[f], values[v]));
      printf("%s ", text);
      printf("%d ", strfroml(text, 100, formats[f], values[v]));
      printf("%s\n", text);
    }
  for (unsigned v = 0; v < sizeof values / sizeof *values; v++)
    for (int digits = 1; digits < 30; digits += 7) {
      printf("%s ", gcvt(values[v], digits, text));
      printf("%s\n", qgcvt(values[v] / 3.0L, digits, text));
    }
}

static void dates(void)
{
  static const char *const formats[] = {"%a %A %b %B %h", "%c", "%C|%d|%D|%e|%F", "%g %G %V", "%H %I %j %k %l", "%m %M %n %p %P %r", "%R %S %t %T %u %U %w %W", "%x %X %y %Y %%",
                                        "%^a %_d %-d %05Y %6m %Ey %Od %#p", "%z %Z", ""};
  static const time_t days[] = {0, 86399, 951782400, 1230768000, 1262304000, 1483228799, 1700000000, 4102444800};
  for (unsigned d = 0; d < sizeof days / sizeof *days; d++)
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
      struct tm tm;
      gmtime_r(&days[d], &tm);
      text[0] = 0;
      printf("%zu ", strftime(text, 200, formats[f], &tm));
      printf("%s %zu\n", text, strftime(text, 12, formats[f], &tm));
    }
}

int main(void)
{
  numbers();
  dates();
  return 0;
}
