/* Formatted text: what prints one conversion.

   Text goes to `to`, which has room for `n` characters with the last zero; `at` is how long the text is so far, whether or not it fitted. Each kind of
   conversion has a function that returns the new length. Numbers are printed from their first digit on: nothing is kept that an engine had to follow. */

enum {
  __raddle_left = 1, __raddle_plus = 2, __raddle_space = 4, __raddle_alternate = 8, __raddle_zero = 16, __raddle_upper = 32
};

size_t __raddle_put(char *to, size_t n, size_t at, int c)
{
  if (at + 1 < n)
    to[at] = c;
  return at + 1;
}

size_t __raddle_pad(char *to, size_t n, size_t at, int c, long count)
{
  for (long i = 0; i < count; i++)
    at = __raddle_put(to, n, at, c);
  return at;
}

/* The text ends, and its length is the result. */
int __raddle_put_end(char *to, size_t n, size_t at)
{
  if (n > 0)
    to[at < n ? at : n - 1] = 0;
  if (at > 2147483647)
    __raddle_gap("formatted text of more than INT_MAX characters");
  return at;
}

size_t __raddle_put_character(char *to, size_t n, size_t at, int c, int flags, int width)
{
  if (!(flags & __raddle_left))
    at = __raddle_pad(to, n, at, ' ', width - 1l);
  at = __raddle_put(to, n, at, c);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', width - 1l) : at;
}

/* At most `precision` characters, if that is not negative. */
size_t __raddle_put_string(char *to, size_t n, size_t at, const char *s, int flags, int width, int precision)
{
  long length = 0;
  if (!s)
    s = precision < 0 || precision >= 6 ? "(null)" : "";
  if (width > 0)
    while ((precision < 0 || length < precision) && s[length])
      length++;
  if (!(flags & __raddle_left))
    at = __raddle_pad(to, n, at, ' ', width - length);
  for (long i = 0; (precision < 0 || i < precision) && s[i]; i++)
    at = __raddle_put(to, n, at, s[i]);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', width - length) : at;
}

/* Wide characters in the "C" locale: those below 128 are one byte. */
size_t __raddle_put_wide_character(char *to, size_t n, size_t at, int c, int flags, int width)
{
  if (c < 0 || c >= 128)
    __raddle_gap("a wide character in a format that the locale does not have");
  return __raddle_put_character(to, n, at, c, flags, width);
}

size_t __raddle_put_wide_text(char *to, size_t n, size_t at, const int *s, int flags, int width, int precision)
{
  long length = 0;
  if (!s)
    return __raddle_put_string(to, n, at, 0, flags, width, precision);
  for (; (precision < 0 || length < precision) && s[length]; length++)
    if (s[length] < 0 || s[length] >= 128)
      __raddle_gap("a wide character in a format that the locale does not have");
  if (!(flags & __raddle_left))
    at = __raddle_pad(to, n, at, ' ', width - length);
  for (long i = 0; i < length; i++)
    at = __raddle_put(to, n, at, s[i]);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', width - length) : at;
}

/* A number has a sign and a prefix or none of them, and zeros and digits. */
static size_t __raddle_put_before(char *to, size_t n, size_t at, int sign, int prefix, int flags, int zero, long missing)
{
  if (!zero && !(flags & __raddle_left))
    at = __raddle_pad(to, n, at, ' ', missing);
  if (sign)
    at = __raddle_put(to, n, at, sign);
  if (prefix) {
    at = __raddle_put(to, n, at, '0');
    at = __raddle_put(to, n, at, prefix);
  }
  return zero ? __raddle_pad(to, n, at, '0', missing) : at;
}

/* `power` is that of the first of so many digits. */
static size_t __raddle_put_digits(char *to, size_t n, size_t at, unsigned long long value, unsigned base, int upper,
                                  unsigned long long power, int digits)
{
  for (int i = 0; i < digits; i++) {
    int digit = value / power % base;
    at = __raddle_put(to, n, at, digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    power /= base;
  }
  return at;
}

static size_t __raddle_put_integer(char *to, size_t n, size_t at, unsigned long long value, unsigned base, int sign,
                                  int flags, int width, int precision)
{
  unsigned long long power = 1;
  int digits = value != 0 || precision != 0, prefix = 0;
  for (; value / power >= base; power *= base)
    digits++;
  long zeros = precision > digits ? precision - digits : 0;
  if (flags & __raddle_alternate) {
    if (base == 8 && zeros == 0 && (value != 0 || digits == 0))
      zeros = 1;
    if ((base == 2 || base == 16) && value != 0)
      prefix = base == 2 ? 'b' : 'x';
  }
  if (prefix && flags & __raddle_upper)
    prefix -= 'a' - 'A';
  long missing = width - digits - zeros - (sign != 0) - (prefix ? 2 : 0);
  int zero = flags & __raddle_zero && !(flags & __raddle_left) && precision < 0;
  at = __raddle_put_before(to, n, at, sign, prefix, flags, zero, missing);
  at = __raddle_pad(to, n, at, '0', zeros);
  at = __raddle_put_digits(to, n, at, value, base, flags & __raddle_upper, power, digits);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', missing) : at;
}

static int __raddle_sign(int negative, int flags)
{
  return negative ? '-' : flags & __raddle_plus ? '+' : flags & __raddle_space ? ' ' : 0;
}

size_t __raddle_put_signed(char *to, size_t n, size_t at, long long value, int flags, int width, int precision)
{
  unsigned long long magnitude = value < 0 ? -(unsigned long long)value : value;
  return __raddle_put_integer(to, n, at, magnitude, 10, __raddle_sign(value < 0, flags), flags, width, precision);
}

size_t __raddle_put_unsigned(char *to, size_t n, size_t at, unsigned long long value, int base, int flags, int width, int precision)
{
  return __raddle_put_integer(to, n, at, value, base, 0, flags, width, precision);
}

size_t __raddle_put_pointer(char *to, size_t n, size_t at, const void *p, int flags, int width, int precision)
{
  if (!p)
    return __raddle_put_string(to, n, at, "(nil)", flags, width, precision < 5 ? 5 : precision);
  return __raddle_put_integer(to, n, at, (size_t)p, 16, __raddle_sign(0, flags), flags | __raddle_alternate, width, precision);
}
