// <ctype.h>, atoi, abs and division functions.
#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>
int main(void) {
  const char *sample = "aZ5 \t_~\x7f@G";
  for (const char *c = sample; *c; c++)
    printf("%d%d%d%d%d%d%d%d%d%d %c %c\n", !!isalpha(*c), !!isdigit(*c), !!isalnum(*c), !!isspace(*c), !!isupper(*c),
           !!islower(*c), !!isxdigit(*c), !!ispunct(*c), !!isprint(*c), !!iscntrl(*c), tolower(*c) % 128, toupper(*c) % 128);
  int letters = 0, blanks = 0;
  for (int c = 0; c < 256; c++) { letters += !!isalpha(c); blanks += !!isblank(c) + !!isgraph(c); }
  printf("%d %d\n", letters, blanks);
  printf("%d %d %d %d\n", atoi("42"), atoi("  -17abc"), atoi("+5"), atoi("x"));
  printf("%ld %lld\n", atol("-123456789012"), atoll("99999999999"));
  printf("%d %ld %lld\n", abs(-5), labs(5l), llabs(-1ll << 40));
  char *end;
  printf("%ld ", strtol("0x1fz", &end, 16));
  printf("%s ", end);
  printf("%ld %ld\n", strtol("777", 0, 8), strtol("-12", &end, 10));
  printf("%lu %d\n", strtoul("4000000000", 0, 10), *end);
  div_t d = div(-17, 5);
  ldiv_t l = ldiv(100, 7);
  printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
  char up[] = "Mixed Case";
  for (char *c = up; *c; c++) *c = isupper(*c) ? tolower(*c) : toupper(*c);
  puts(up);
  return isdigit('7') != 0;
}
