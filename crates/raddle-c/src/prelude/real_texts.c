/* Floating-point numbers to text, every digit exact, rounded to the nearest with ties to even.

   A number n * 2^exponent is brought to decimal limbs of nine digits each, by multiplying or dividing with powers of two. A digit is named by its place: 0 is the first behind the
   point, -1 that of the units. */

extern unsigned long long __raddle_encoding(double);
extern unsigned __int128 __raddle_encodingl(long double);

enum { __raddle_finite, __raddle_infinity, __raddle_no_number };

/* `limbs[point]` is the first behind the point; those before `first` and from `end` on are zero. `bits`: how many fraction bits a hexadecimal form has. */
struct __raddle_expansion { unsigned *limbs; int first, point, end, kind, negative, exponent, bits; unsigned long long n; };

/* How a number is laid out: with an exponent or without, and how many digits are behind the point. */
struct __raddle_layout { int has_exponent, exponent, precision; };

static void __raddle_grow(struct __raddle_expansion *d, int bits)
{
  unsigned long long carry = 0;
  for (int i = d->end; i-- > d->first;) {
    carry += (unsigned long long)d->limbs[i] << bits;
    d->limbs[i] = carry % 1000000000;
    carry /= 1000000000;
  }
  if (carry)
    d->limbs[--d->first] = carry;
}

static void __raddle_shrink(struct __raddle_expansion *d, int bits)
{
  unsigned long long rest = 0;
  for (int i = d->first; i < d->end || rest; i++) {
    if (i == d->end)
      d->limbs[d->end++] = 0;
    rest = rest * 1000000000 + d->limbs[i];
    d->limbs[i] = rest >> bits;
    rest &= (1ull << bits) - 1;
  }
  while (d->first < d->end && d->limbs[d->first] == 0)
    d->first++;
}

static void __raddle_expand(struct __raddle_expansion *d)
{
  int exponent = d->exponent;
  unsigned long long n = d->n;
  for (; n && !(n & 1); n >>= 1)
    exponent++;
  d->first = d->end = d->point;
  for (; n; n /= 1000000000)
    d->limbs[--d->first] = n % 1000000000;
  if (d->first == d->end)
    return;
  for (int left = exponent; left > 0; left -= 29)
    __raddle_grow(d, left < 29 ? left : 29);
  for (int left = -exponent; left > 0; left -= 29)
    __raddle_shrink(d, left < 29 ? left : 29);
}

static int __raddle_limb_of(const struct __raddle_expansion *d, int place)
{
  return place < 0 ? d->point - 1 - (-1 - place) / 9 : d->point + place / 9;
}

/* What a digit counts in its limb. */
static unsigned __raddle_weight(int place)
{
  int zeros = place < 0 ? (-1 - place) % 9 : 8 - place % 9;
  unsigned weight = 1;
  for (; zeros > 0; zeros--)
    weight *= 10;
  return weight;
}

static int __raddle_digit_at(const struct __raddle_expansion *d, int place)
{
  int limb = __raddle_limb_of(d, place);
  return limb < d->first || limb >= d->end ? 0 : d->limbs[limb] / __raddle_weight(place) % 10;
}

/* The power of ten of the first digit that is not zero. */
static int __raddle_magnitude(const struct __raddle_expansion *d)
{
  int limb = d->first, digits = 0;
  while (limb < d->end && d->limbs[limb] == 0)
    limb++;
  if (limb == d->end)
    return 0;
  for (unsigned rest = d->limbs[limb]; rest; rest /= 10)
    digits++;
  return (d->point - limb) * 9 - 10 + digits;
}

/* Only digits before `place` count from now on. */
static void __raddle_round_at(struct __raddle_expansion *d, int place)
{
  int limb = __raddle_limb_of(d, place), next = __raddle_digit_at(d, place);
  if (next < 5 || limb >= d->end)
    return;
  int is_tie = next == 5 && d->limbs[limb] % __raddle_weight(place) == 0;
  for (int i = limb + 1; i < d->end; i++)
    if (d->limbs[i])
      is_tie = 0;
  if (is_tie && __raddle_digit_at(d, place - 1) % 2 == 0)
    return;
  limb = __raddle_limb_of(d, place - 1);
  while (d->first > limb)
    d->limbs[--d->first] = 0;
  d->limbs[limb] += __raddle_weight(place - 1);
  while (d->limbs[limb] >= 1000000000) {
    d->limbs[limb] -= 1000000000;
    if (--limb < d->first)
      d->limbs[--d->first] = 0;
    d->limbs[limb]++;
  }
}

static void __raddle_lay_out(struct __raddle_expansion *d, int conversion, int flags, int precision, struct __raddle_layout *l)
{
  l->precision = precision < 0 ? 6 : precision;
  l->has_exponent = conversion == 'e';
  __raddle_expand(d);
  if (conversion == 'f') {
    __raddle_round_at(d, l->precision);
    l->exponent = __raddle_magnitude(d);
    return;
  }
  if (conversion == 'g')
    l->precision = l->precision ? l->precision - 1 : 0;
  int before = __raddle_magnitude(d);
  __raddle_round_at(d, l->precision - before);
  l->exponent = __raddle_magnitude(d);
  if (conversion != 'g')
    return;
  l->has_exponent = l->exponent < -4 || l->exponent > l->precision;
  /* glibc leaves out zeros then, C does not. */
  if (flags & __raddle_alternate && l->has_exponent && before >= -4 && before <= l->precision)
    __raddle_gap("a number that gets an exponent by rounding in %#g");
  int last = l->precision - l->exponent;
  if (!l->has_exponent)
    l->precision = last;
  if (!(flags & __raddle_alternate))
    for (; l->precision > 0 && __raddle_digit_at(d, last - 1) == 0; last--)
      l->precision--;
}

/* `e+05`: at least so many digits. */
static size_t __raddle_put_exponent(char *to, size_t n, size_t at, int letter, int exponent, int digits)
{
  at = __raddle_put(to, n, at, letter);
  return __raddle_put_signed(to, n, at, exponent, __raddle_plus, 0, digits);
}

static int __raddle_exponent_length(int exponent, int digits)
{
  int length = 0;
  for (int rest = exponent < 0 ? -exponent : exponent; rest; rest /= 10)
    length++;
  return 2 + (length > digits ? length : digits);
}

static size_t __raddle_put_decimal(char *to, size_t n, size_t at, struct __raddle_expansion *d, int conversion, int flags,
                                   int width, int precision)
{
  struct __raddle_layout l;
  int upper = flags & __raddle_upper, sign = __raddle_sign(d->negative, flags);
  __raddle_lay_out(d, conversion, flags, precision, &l);
  int has_point = l.precision > 0 || flags & __raddle_alternate;
  int first = l.has_exponent || l.exponent >= 0 ? -l.exponent - 1 : -1;
  int behind = l.has_exponent ? first + 1 : 0;
  long missing = (long)width - (sign != 0) - (behind - first) - (has_point != 0) - l.precision
                 - (l.has_exponent ? __raddle_exponent_length(l.exponent, 2) : 0);
  int zero = flags & __raddle_zero && !(flags & __raddle_left);
  at = __raddle_put_before(to, n, at, sign, 0, flags, zero, missing);
  for (int place = first; place < behind; place++)
    at = __raddle_put(to, n, at, '0' + __raddle_digit_at(d, place));
  if (has_point)
    at = __raddle_put(to, n, at, '.');
  for (int i = 0; i < l.precision; i++)
    at = __raddle_put(to, n, at, '0' + __raddle_digit_at(d, behind + i));
  if (l.has_exponent)
    at = __raddle_put_exponent(to, n, at, upper ? 'E' : 'e', l.exponent, 2);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', missing) : at;
}

/* One digit before the point: the highest bit for double, the highest four for long double. */
static size_t __raddle_put_hexadecimal(char *to, size_t n, size_t at, struct __raddle_expansion *d, int flags, int width, int precision)
{
  int bits = d->bits, digits = bits / 4, exponent = d->n ? d->exponent + bits : 0;
  int sign = __raddle_sign(d->negative, flags), upper = flags & __raddle_upper;
  unsigned long long value = d->n;
  if (precision < 0)
    while (digits > 0 && (value >> (bits - digits * 4) & 15) == 0)
      digits--;
  else if (precision < digits) {
    int left_out = bits - precision * 4;
    unsigned long long half = 1ull << (left_out - 1), rest = value & (2 * half - 1), whole = left_out > 63 ? 0 : value >> left_out;
    whole += rest > half || (rest == half && whole & 1);
    digits = precision;
    if (bits == 60 && whole >> precision * 4 == 16) {
      whole = 1ull << precision * 4;
      exponent += 4;
    }
    value = whole;
    bits = precision * 4;
  }
  int zeros = precision > digits ? precision - digits : 0, has_point = digits + zeros > 0 || flags & __raddle_alternate;
  long missing = (long)width - (sign != 0) - 3 - (has_point != 0) - digits - zeros - __raddle_exponent_length(exponent, 1);
  int zero = flags & __raddle_zero && !(flags & __raddle_left);
  at = __raddle_put_before(to, n, at, sign, upper ? 'X' : 'x', flags, zero, missing);
  for (int i = 0; i <= digits; i++) {
    int digit = value >> (bits - i * 4) & 15;
    at = __raddle_put(to, n, at, digit < 10 ? '0' + digit : (upper ? 'A' : 'a') + digit - 10);
    if (i == 0 && has_point)
      at = __raddle_put(to, n, at, '.');
  }
  at = __raddle_pad(to, n, at, '0', zeros);
  at = __raddle_put_exponent(to, n, at, upper ? 'P' : 'p', exponent, 1);
  return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', missing) : at;
}

static size_t __raddle_put_real(char *to, size_t n, size_t at, struct __raddle_expansion *d, int conversion, int flags,
                                int width, int precision)
{
  if (conversion >= 'A' && conversion <= 'G') {
    conversion += 'a' - 'A';
    flags |= __raddle_upper;
  }
  if (d->kind != __raddle_finite) {
    int sign = __raddle_sign(d->negative, flags);
    const char *text = d->kind == __raddle_infinity ? flags & __raddle_upper ? "INF" : "inf" : flags & __raddle_upper ? "NAN" : "nan";
    at = __raddle_put_before(to, n, at, sign, 0, flags, 0, width - 3l - (sign != 0));
    at = __raddle_put_string(to, n, at, text, 0, 0, -1);
    return flags & __raddle_left ? __raddle_pad(to, n, at, ' ', width - 3l - (sign != 0)) : at;
  }
  if (conversion == 'a')
    return __raddle_put_hexadecimal(to, n, at, d, flags, width, precision);
  return __raddle_put_decimal(to, n, at, d, conversion, flags, width, precision);
}

static void __raddle_unpack(struct __raddle_expansion *d, double x)
{
  unsigned long long encoding = __raddle_encoding(x), fraction = encoding & ((1ull << 52) - 1);
  int field = encoding >> 52 & 2047;
  d->negative = encoding >> 63;
  d->kind = field < 2047 ? __raddle_finite : fraction ? __raddle_no_number : __raddle_infinity;
  d->n = field ? fraction | 1ull << 52 : fraction;
  d->exponent = (field ? field : 1) - 1075;
  d->bits = 52;
}

static void __raddle_unpack_long(struct __raddle_expansion *d, long double x)
{
  unsigned __int128 encoding = __raddle_encodingl(x);
  unsigned long long fraction = encoding & ((1ull << 63) - 1);
  int field = encoding >> 63 & 32767;
  d->negative = encoding >> 78 & 1;
  d->kind = field < 32767 ? __raddle_finite : fraction ? __raddle_no_number : __raddle_infinity;
  d->n = field ? fraction | 1ull << 63 : fraction;
  d->exponent = (field ? field : 1) - 16446;
  d->bits = 60;
}

size_t __raddle_put_double(char *to, size_t n, size_t at, double x, int conversion, int flags, int width, int precision)
{
  unsigned limbs[160];
  struct __raddle_expansion d;
  d.limbs = limbs;
  d.point = 36;
  __raddle_unpack(&d, x);
  return __raddle_put_real(to, n, at, &d, conversion, flags, width, precision);
}

size_t __raddle_put_long_double(char *to, size_t n, size_t at, long double x, int conversion, int flags, int width, int precision)
{
  unsigned limbs[2400];
  struct __raddle_expansion d;
  d.limbs = limbs;
  d.point = 552;
  __raddle_unpack_long(&d, x);
  return __raddle_put_real(to, n, at, &d, conversion, flags, width, precision);
}
