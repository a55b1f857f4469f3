/* <stdlib.h>: numbers as text, and division. */

static int __raddle_digit(char c)
{
  return isdigit(c) ? c - '0' : islower(c) ? c - 'a' + 10 : isupper(c) ? c - 'A' + 10 : 36;
}

/* The absolute value of the number that a text begins with, at most the largest there is. */
static unsigned long long __raddle_number(const char *s, char **end, int base, int *negative)
{
  unsigned long long value = 0, most = -1;
  const char *at = s, *digits;
  *negative = 0;
  while (isspace(*at))
    at++;
  if (*at == '-' || *at == '+')
    *negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __raddle_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0)
    base = *at == '0' ? 8 : 10;
  digits = at;
  for (int digit; (digit = __raddle_digit(*at)) < base; at++)
    value = value > (most - digit) / base ? most : value * base + digit;
  if (end)
    *end = (char *)(at == digits ? s : at);
  return value;
}

static long long __raddle_signed(unsigned long long value, int negative, unsigned long long most)
{
  return negative ? (long long)-(value > most ? most + 1 : value) : (long long)(value > most ? most : value);
}

long long strtoll(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return __raddle_signed(value, negative, -1ull / 2);
}

long strtol(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return __raddle_signed(value, negative, -1ul / 2);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return negative && value != -1ull ? -value : value;
}

unsigned long strtoul(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return value > -1ul ? -1ul : negative && value != -1ull ? -value : value;
}

/* As by strtol, but simpler: these are in many programs. */
long long atoll(const char *s)
{
  long long value = 0;
  int negative = 0;
  while (isspace(*s))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  while (isdigit(*s))
    value = value * 10 + (*s++ - '0');
  return negative ? -value : value;
}

long atol(const char *s) { return atoll(s); }
int atoi(const char *s) { return atoll(s); }

typedef struct { int quot, rem; } __raddle_div;
typedef struct { long quot, rem; } __raddle_ldiv;
typedef struct { long long quot, rem; } __raddle_lldiv;
__raddle_div div(int a, int b) { return (__raddle_div){a / b, a % b}; }
__raddle_ldiv ldiv(long a, long b) { return (__raddle_ldiv){a / b, a % b}; }
__raddle_lldiv lldiv(long long a, long long b) { return (__raddle_lldiv){a / b, a % b}; }
