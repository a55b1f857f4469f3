/* Floating-point numbers as text, rounded to the nearest.

   The value of a text is brought to the form n * 2^exponent with 2^63 <= n < 2^64, and a tail that says what part of one is missing in n. For a decimal
   number, its digits are multiplied or divided by powers of two until the integer part is such an n. */

enum { __raddle_most_digits = 800 };

/* 0.d0d1d2… * 10^point. `more`: digits that are not zero were left out. */
struct __raddle_decimal { int count, point; _Bool more; __raddle_byte digits[800]; };

/* A tail: nothing, less than a half, a half, more than a half. */
struct __raddle_binary { unsigned long long n; int exponent, tail; };

static void __raddle_trim(struct __raddle_decimal *d)
{
  while (d->count > 0 && d->digits[d->count - 1] == 0)
    d->count--;
}

static void __raddle_multiply(struct __raddle_decimal *d, int bits)
{
  unsigned long long carry = 0;
  int grown = 0;
  for (int i = d->count; i-- > 0;) {
    carry += (unsigned long long)d->digits[i] << bits;
    d->digits[i] = carry % 10;
    carry /= 10;
  }
  for (unsigned long long rest = carry; rest; rest /= 10)
    grown++;
  for (int i = d->count; i-- > 0;) {
    if (i + grown < __raddle_most_digits)
      d->digits[i + grown] = d->digits[i];
    else if (d->digits[i])
      d->more = 1;
  }
  for (int i = grown; i-- > 0; carry /= 10)
    d->digits[i] = carry % 10;
  d->count = d->count + grown < __raddle_most_digits ? d->count + grown : __raddle_most_digits;
  d->point += grown;
  __raddle_trim(d);
}

static void __raddle_divide(struct __raddle_decimal *d, int bits)
{
  unsigned long long rest = 0, mask = (1ull << bits) - 1;
  int in = 0, out = 0;
  for (; rest >> bits == 0; in++)
    rest = rest * 10 + (in < d->count ? d->digits[in] : 0);
  d->point -= in - 1;
  while (rest || in < d->count) {
    __raddle_byte digit = rest >> bits;
    rest = (rest & mask) * 10 + (in < d->count ? d->digits[in] : 0);
    in++;
    if (out < __raddle_most_digits)
      d->digits[out++] = digit;
    else if (digit)
      d->more = 1;
  }
  d->count = out;
  __raddle_trim(d);
}

/* The integer part, if it is below 2^64; otherwise zero. */
static unsigned long long __raddle_integer(const struct __raddle_decimal *d)
{
  unsigned long long n = 0;
  for (int i = 0; i < d->point; i++) {
    unsigned digit = i < d->count ? d->digits[i] : 0;
    if (n > (-1ull - digit) / 10)
      return 0;
    n = n * 10 + digit;
  }
  return n;
}

static void __raddle_to_binary(struct __raddle_decimal *d, struct __raddle_binary *b)
{
  b->exponent = 0;
  b->tail = 1;
  b->n = 1ull << 63;
  /* Beyond the range of all formats. */
  if (d->point > 5000 || d->point < -5100) {
    b->exponent = d->point > 0 ? 20000 : -20000;
    return;
  }
  while (d->point > 20) {
    int bits = d->point > 36 ? 48 : (d->point - 20) * 3;
    __raddle_divide(d, bits);
    b->exponent += bits;
  }
  while (d->point < 19) {
    int bits = d->point < 3 ? 48 : (19 - d->point) * 3;
    __raddle_multiply(d, bits);
    b->exponent -= bits;
  }
  for (; !__raddle_integer(d); b->exponent++)
    __raddle_divide(d, 1);
  for (; !(__raddle_integer(d) >> 63); b->exponent--)
    __raddle_multiply(d, 1);
  b->n = __raddle_integer(d);
  int next = d->point < d->count ? d->digits[d->point] : 0, is_last = d->point + 1 >= d->count && !d->more;
  b->tail = next > 5 || (next == 5 && !is_last) ? 3 : next == 5 ? 2 : next || !is_last;
}

/* Leaves out the lowest bits of n, to the nearest, ties to even. */
static unsigned long long __raddle_round(const struct __raddle_binary *b, int bits)
{
  unsigned long long whole = b->n;
  int tail = b->tail;
  if (bits > 64)
    return 0;
  if (bits > 0) {
    unsigned long long half = 1ull << (bits - 1), rest = bits == 64 ? b->n : b->n & (2 * half - 1);
    tail = rest > half || (rest == half && tail) ? 3 : rest == half ? 2 : rest || tail;
    whole = bits == 64 ? 0 : b->n >> bits;
  }
  return whole + (tail == 3 || (tail == 2 && (whole & 1)));
}

/* Rounds to so many bits, the lowest of which is not below 2^least, and values below 2^most: afterwards n has no more bits than that, or `tail` is -1 for
   what is too large. */
static void __raddle_fit(struct __raddle_binary *b, int precision, int least, int most)
{
  int bits = 64 - precision;
  unsigned long long n = __raddle_round(b, bits);
  int is_next = precision == 64 ? n == 0 : n >> precision != 0;
  int top = b->exponent + 64 + is_next;
  if (top > most) {
    __raddle_errno = 34;
    b->tail = -1;
    return;
  }
  if (b->exponent + bits < least) {
    bits = least - b->exponent;
    n = __raddle_round(b, bits);
    is_next = 0;
  }
  if (top < least + precision && (b->tail || bits >= 64 || n << bits != b->n))
    __raddle_errno = 34;
  if (precision == 64 && is_next) {
    n = 1ull << 63;
    bits++;
  }
  b->n = n;
  b->exponent += bits;
}

static int __raddle_char(const void *s, size_t i, int wide) { return wide ? ((const int *)s)[i] : ((const char *)s)[i]; }

static int __raddle_begins(const void *s, size_t at, int wide, const char *word)
{
  for (size_t i = 0; word[i]; i++)
    if (tolower(__raddle_char(s, at + i, wide)) != word[i])
      return 0;
  return 1;
}

static int __raddle_hex(int c) { return !isxdigit(c) ? -1 : isdigit(c) ? c - '0' : tolower(c) - 'a' + 10; }

/* An exponent behind its letter, if there is one: moves on behind it. */
static int __raddle_power(const void *s, size_t *end, int wide, char letter)
{
  size_t at = *end;
  int power = 0, negative = 0;
  if (tolower(__raddle_char(s, at, wide)) != letter)
    return 0;
  at++;
  if (__raddle_char(s, at, wide) == '-' || __raddle_char(s, at, wide) == '+')
    negative = __raddle_char(s, at++, wide) == '-';
  if (!isdigit(__raddle_char(s, at, wide)))
    return 0;
  for (; isdigit(__raddle_char(s, at, wide)); at++)
    if (power < 10000000)
      power = power * 10 + __raddle_char(s, at, wide) - '0';
  *end = at;
  return negative ? -power : power;
}

/* Returns where the digits end. */
static size_t __raddle_hexadecimal(const void *s, size_t at, int wide, struct __raddle_binary *b)
{
  int is_fraction = 0, left_out = 0;
  for (;; at++) {
    int c = __raddle_char(s, at, wide);
    if (c == '.' && !is_fraction) {
      is_fraction = 1;
      continue;
    }
    if (!isxdigit(c))
      break;
    b->exponent -= is_fraction ? 4 : 0;
    for (int bit = 3; bit >= 0; bit--) {
      int value = __raddle_hex(c) >> bit & 1;
      if (!(b->n >> 63)) {
        b->n = b->n * 2 + value;
        continue;
      }
      b->tail |= left_out ? value : value * 2;
      left_out = 1;
      b->exponent++;
    }
  }
  b->exponent += __raddle_power(s, &at, wide, 'p');
  while (b->n && !(b->n >> 63)) {
    b->n <<= 1;
    b->exponent--;
  }
  return at;
}

/* The same; if there are no digits, zero. */
static size_t __raddle_decimal(const void *s, size_t at, int wide, struct __raddle_binary *b)
{
  struct __raddle_decimal d;
  int is_fraction = 0, digits = 0;
  d.count = d.point = d.more = 0;
  for (;; at++) {
    int c = __raddle_char(s, at, wide);
    if (c == '.' && !is_fraction) {
      is_fraction = 1;
      continue;
    }
    if (!isdigit(c))
      break;
    digits = 1;
    if (c == '0' && d.count == 0) {
      d.point -= is_fraction;
      continue;
    }
    d.point += !is_fraction;
    if (d.count < __raddle_most_digits)
      d.digits[d.count++] = c - '0';
    else if (c != '0')
      d.more = 1;
  }
  if (!digits)
    return 0;
  d.point += __raddle_power(s, &at, wide, 'e');
  __raddle_trim(&d);
  if (d.count)
    __raddle_to_binary(&d, b);
  return at;
}

enum { __raddle_is_number, __raddle_is_infinite, __raddle_is_nan };

/* Reads a number for a format; what it is, its sign, and its n and exponent. */
static int __raddle_real(const void *s, void *end, int wide, int precision, int least, int most, int *negative,
                         struct __raddle_binary *b)
{
  size_t at = 0, after = 0;
  int kind = __raddle_is_number;
  *negative = b->n = b->exponent = b->tail = 0;
  while (isspace(__raddle_char(s, at, wide)))
    at++;
  if (__raddle_char(s, at, wide) == '-' || __raddle_char(s, at, wide) == '+')
    *negative = __raddle_char(s, at++, wide) == '-';
  if (__raddle_begins(s, at, wide, "inf")) {
    kind = __raddle_is_infinite;
    after = at + (__raddle_begins(s, at, wide, "infinity") ? 8 : 3);
  } else if (__raddle_begins(s, at, wide, "nan")) {
    kind = __raddle_is_nan;
    after = at + 3;
    size_t close = after + 1;
    if (__raddle_char(s, after, wide) == '(') {
      while (isalnum(__raddle_char(s, close, wide)) || __raddle_char(s, close, wide) == '_')
        close++;
      if (__raddle_char(s, close, wide) == ')')
        after = close + 1;
    }
  } else {
    size_t digit = at + 2;
    int is_hex = __raddle_begins(s, at, wide, "0x");
    if (is_hex && __raddle_char(s, digit, wide) == '.')
      digit++;
    is_hex = is_hex && isxdigit(__raddle_char(s, digit, wide));
    after = is_hex ? __raddle_hexadecimal(s, at + 2, wide, b) : __raddle_decimal(s, at, wide, b);
    if (b->n) {
      __raddle_fit(b, precision, least, most);
      if (b->tail == -1)
        kind = __raddle_is_infinite;
    }
  }
  if (after == 0)
    *negative = 0;
  if (end)
    *(const void **)end = wide ? (const void *)((const int *)s + after) : (const char *)s + after;
  return kind;
}

static double __raddle_double(const void *s, void *end, int wide, int precision, int least, int most)
{
  struct __raddle_binary b;
  int negative, kind = __raddle_real(s, end, wide, precision, least, most, &negative, &b);
  double value = kind == __raddle_is_nan ? __builtin_nan("") : kind == __raddle_is_infinite ? __builtin_inf() : (double)b.n;
  if (kind == __raddle_is_number && b.n) {
    for (; b.exponent >= 32; b.exponent -= 32)
      value *= 4294967296.0;
    for (; b.exponent <= -32; b.exponent += 32)
      value /= 4294967296.0;
    for (; b.exponent > 0; b.exponent--)
      value *= 2;
    for (; b.exponent < 0; b.exponent++)
      value /= 2;
  }
  return negative ? -value : value;
}

static long double __raddle_long_double(const void *s, void *end, int wide)
{
  struct __raddle_binary b;
  int negative, kind = __raddle_real(s, end, wide, 64, -16445, 16384, &negative, &b);
  long double value = kind == __raddle_is_nan ? __builtin_nanl("") : kind == __raddle_is_infinite ? __builtin_infl() : (long double)b.n;
  if (kind == __raddle_is_number && b.n) {
    for (; b.exponent >= 32; b.exponent -= 32)
      value *= 4294967296.0L;
    for (; b.exponent <= -32; b.exponent += 32)
      value /= 4294967296.0L;
    for (; b.exponent > 0; b.exponent--)
      value *= 2;
    for (; b.exponent < 0; b.exponent++)
      value /= 2;
  }
  return negative ? -value : value;
}

double strtod(const char *s, char **end) { return __raddle_double(s, end, 0, 53, -1074, 1024); }
float strtof(const char *s, char **end) { return __raddle_double(s, end, 0, 24, -149, 128); }
long double strtold(const char *s, char **end) { return __raddle_long_double(s, end, 0); }
double strtod_l(const char *s, char **end, void *locale) { return strtod(s, end); }
float strtof_l(const char *s, char **end, void *locale) { return strtof(s, end); }
long double strtold_l(const char *s, char **end, void *locale) { return strtold(s, end); }
double wcstod(const int *s, int **end) { return __raddle_double(s, end, 1, 53, -1074, 1024); }
float wcstof(const int *s, int **end) { return __raddle_double(s, end, 1, 24, -149, 128); }
long double wcstold(const int *s, int **end) { return __raddle_long_double(s, end, 1); }
double wcstod_l(const int *s, int **end, void *locale) { return wcstod(s, end); }
float wcstof_l(const int *s, int **end, void *locale) { return wcstof(s, end); }
long double wcstold_l(const int *s, int **end, void *locale) { return wcstold(s, end); }
double atof(const char *s) { return strtod(s, 0); }

/* The same formats by their widths. */
float strtof32(const char *s, char **end) { return strtof(s, end); }
double strtof64(const char *s, char **end) { return strtod(s, end); }
double strtof32x(const char *s, char **end) { return strtod(s, end); }
long double strtof64x(const char *s, char **end) { return strtold(s, end); }
float wcstof32(const int *s, int **end) { return wcstof(s, end); }
double wcstof64(const int *s, int **end) { return wcstod(s, end); }
double wcstof32x(const int *s, int **end) { return wcstod(s, end); }
long double wcstof64x(const int *s, int **end) { return wcstold(s, end); }
float strtof32_l(const char *s, char **end, void *locale) { return strtof(s, end); }
double strtof64_l(const char *s, char **end, void *locale) { return strtod(s, end); }
double strtof32x_l(const char *s, char **end, void *locale) { return strtod(s, end); }
long double strtof64x_l(const char *s, char **end, void *locale) { return strtold(s, end); }
float wcstof32_l(const int *s, int **end, void *locale) { return wcstof(s, end); }
double wcstof64_l(const int *s, int **end, void *locale) { return wcstod(s, end); }
double wcstof32x_l(const int *s, int **end, void *locale) { return wcstod(s, end); }
long double wcstof64x_l(const int *s, int **end, void *locale) { return wcstold(s, end); }
