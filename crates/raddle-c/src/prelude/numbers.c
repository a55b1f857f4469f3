/* Integers as text, of characters or wide characters, and division: <stdlib.h>, <inttypes.h>, <wchar.h>. */

/* What a text consists of, and whether `0b` begins a binary number, as since C23. */
enum { __raddle_wide = 1, __raddle_c23 = 2 };

static int __raddle_unit(const void *s, size_t i, int kind)
{
  return kind & __raddle_wide ? ((const int *)s)[i] : ((const char *)s)[i];
}

static unsigned __raddle_digit(int c)
{
  return isdigit(c) ? c - '0' : islower(c) ? c - 'a' + 10 : isupper(c) ? c - 'A' + 10 : 36;
}

/* The absolute value of the number that a text begins with, or the most that it may be. */
static unsigned long long __raddle_number(const void *s, void *end, int base, int kind, unsigned long long most,
                                          unsigned long long most_negative, int *negative, int *overflows)
{
  unsigned long long value = 0;
  size_t at = 0;
  *negative = *overflows = 0;
  if (base < 0 || base == 1 || base > 36) {
    __raddle_errno = 22;
    return 0;
  }
  while (isspace(__raddle_unit(s, at, kind)))
    at++;
  if (__raddle_unit(s, at, kind) == '-' || __raddle_unit(s, at, kind) == '+')
    *negative = __raddle_unit(s, at++, kind) == '-';
  if (*negative)
    most = most_negative;
  int is_zero = __raddle_unit(s, at, kind) == '0', letter = is_zero ? __raddle_unit(s, at + 1, kind) : 0;
  if ((base == 0 || base == 16) && (letter == 'x' || letter == 'X') && __raddle_digit(__raddle_unit(s, at + 2, kind)) < 16) {
    at += 2;
    base = 16;
  } else if (kind & __raddle_c23 && (base == 0 || base == 2) && (letter == 'b' || letter == 'B')
             && __raddle_digit(__raddle_unit(s, at + 2, kind)) < 2) {
    at += 2;
    base = 2;
  } else if (base == 0)
    base = is_zero ? 8 : 10;
  size_t first = at;
  unsigned long long before_last = most / base;
  unsigned last = most % base;
  for (unsigned digit; (digit = __raddle_digit(__raddle_unit(s, at, kind))) < base; at++) {
    if (value > before_last || (value == before_last && digit > last))
      *overflows = 1;
    value = value * base + digit;
  }
  if (end)
    *(const void **)end = at == first ? s : kind & __raddle_wide ? (const void *)((const int *)s + at) : (const char *)s + at;
  if (*overflows) {
    __raddle_errno = 34;
    return most;
  }
  return value;
}

static long long __raddle_signed(const void *s, void *end, int base, int kind, unsigned long long most)
{
  int negative, overflows;
  unsigned long long value = __raddle_number(s, end, base, kind, most, most + 1, &negative, &overflows);
  return negative ? -value : value;
}

/* A minus sign negates, modulo the largest number and one. */
static unsigned long long __raddle_unsigned(const void *s, void *end, int base, int kind, unsigned long long most)
{
  int negative, overflows;
  unsigned long long value = __raddle_number(s, end, base, kind, most, most, &negative, &overflows);
  return negative && !overflows ? -value : value;
}

long strtol(const char *s, char **end, int base) { return __raddle_signed(s, end, base, 0, -1ul / 2); }
long long strtoll(const char *s, char **end, int base) { return __raddle_signed(s, end, base, 0, -1ull / 2); }
unsigned long strtoul(const char *s, char **end, int base) { return __raddle_unsigned(s, end, base, 0, -1ul); }
unsigned long long strtoull(const char *s, char **end, int base) { return __raddle_unsigned(s, end, base, 0, -1ull); }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
long long strtoq(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long long strtouq(const char *s, char **end, int base) { return strtoull(s, end, base); }
long strtol_l(const char *s, char **end, int base, void *locale) { return strtol(s, end, base); }
long long strtoll_l(const char *s, char **end, int base, void *locale) { return strtoll(s, end, base); }
unsigned long strtoul_l(const char *s, char **end, int base, void *locale) { return strtoul(s, end, base); }
unsigned long long strtoull_l(const char *s, char **end, int base, void *locale) { return strtoull(s, end, base); }

long __isoc23_strtol(const char *s, char **end, int base) { return __raddle_signed(s, end, base, __raddle_c23, -1ul / 2); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return __raddle_signed(s, end, base, __raddle_c23, -1ull / 2); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return __raddle_unsigned(s, end, base, __raddle_c23, -1ul); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return __raddle_unsigned(s, end, base, __raddle_c23, -1ull); }
long long __isoc23_strtoimax(const char *s, char **end, int base) { return __isoc23_strtoll(s, end, base); }
unsigned long long __isoc23_strtoumax(const char *s, char **end, int base) { return __isoc23_strtoull(s, end, base); }

long wcstol(const int *s, int **end, int base) { return __raddle_signed(s, end, base, __raddle_wide, -1ul / 2); }
long long wcstoll(const int *s, int **end, int base) { return __raddle_signed(s, end, base, __raddle_wide, -1ull / 2); }
unsigned long wcstoul(const int *s, int **end, int base) { return __raddle_unsigned(s, end, base, __raddle_wide, -1ul); }
unsigned long long wcstoull(const int *s, int **end, int base) { return __raddle_unsigned(s, end, base, __raddle_wide, -1ull); }
long long wcstoimax(const int *s, int **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstoumax(const int *s, int **end, int base) { return wcstoull(s, end, base); }
long long wcstoq(const int *s, int **end, int base) { return wcstoll(s, end, base); }
unsigned long long wcstouq(const int *s, int **end, int base) { return wcstoull(s, end, base); }
long wcstol_l(const int *s, int **end, int base, void *locale) { return wcstol(s, end, base); }
long long wcstoll_l(const int *s, int **end, int base, void *locale) { return wcstoll(s, end, base); }
unsigned long wcstoul_l(const int *s, int **end, int base, void *locale) { return wcstoul(s, end, base); }
unsigned long long wcstoull_l(const int *s, int **end, int base, void *locale) { return wcstoull(s, end, base); }

long long atoll(const char *s) { return strtoll(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
int atoi(const char *s) { return strtol(s, 0, 10); }

/* Six bits for each character, the lowest ones first. */
long a64l(const char *s)
{
  unsigned value = 0;
  for (int i = 0; i < 6; i++) {
    char c = s[i];
    if (c < '.' || c > 'z' || (c > '9' && c < 'A') || (c > 'Z' && c < 'a'))
      break;
    unsigned digit = c <= '9' ? c - '.' : c <= 'Z' ? c - 'A' + 12 : c - 'a' + 38;
    value |= digit << 6 * i;
  }
  return value;
}

static char __raddle_base_64[7];

char *l64a(long number)
{
  unsigned value = number;
  int i = 0;
  for (; value; value >>= 6) {
    unsigned digit = value & 63;
    __raddle_base_64[i++] = digit < 12 ? '.' + digit : digit < 38 ? 'A' + digit - 12 : 'a' + digit - 38;
  }
  __raddle_base_64[i] = 0;
  return __raddle_base_64;
}

typedef struct { int quot, rem; } __raddle_div;
typedef struct { long quot, rem; } __raddle_ldiv;
typedef struct { long long quot, rem; } __raddle_lldiv;
__raddle_div div(int a, int b) { return (__raddle_div){a / b, a % b}; }
__raddle_ldiv ldiv(long a, long b) { return (__raddle_ldiv){a / b, a % b}; }
__raddle_lldiv lldiv(long long a, long long b) { return (__raddle_lldiv){a / b, a % b}; }
__raddle_lldiv imaxdiv(long long a, long long b) { return (__raddle_lldiv){a / b, a % b}; }
long long imaxabs(long long a) { return a < 0 ? -a : a; }
