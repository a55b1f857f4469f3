/* <math.h> where the format says what the result is. A template, read once for each of `double`, `float` and `long double`, see `prelude.rs`.

   `__raddle_encoding` gives sign, exponent and fraction in one integer. The x87 format's explicit integer bit is left out, so that in all
   formats one more in the encoding is the next number away from zero. */

extern $bits __raddle_encoding@($real);
extern $real __raddle_decoded@($bits);

static int __raddle_math_exponent@($real x) { return (int)(__raddle_encoding@(x) >> $point & $top); }

/* The number with another exponent field. */
static $real __raddle_math_with_exponent@($real x, int exponent)
{
  $bits rest = __raddle_encoding@(x) & ~(($bits)$top << $point);
  return __raddle_decoded@(rest | ($bits)exponent << $point);
}

static _Bool __raddle_math_is_special@($real x) { return x == 0 || __raddle_math_exponent@(x) == $top; }

/* The exponent field that a finite number other than zero has, or would have without subnormal numbers. */
static int __raddle_math_power@($real x)
{
  int exponent = __raddle_math_exponent@(x);
  return exponent ? exponent : __raddle_math_exponent@(x * ($real)0x1p64) - 64;
}

/* A finite number other than zero, with the exponent field of a normal one. */
static $real __raddle_math_mantissa@($real x, int exponent)
{
  return __raddle_math_with_exponent@(__raddle_math_exponent@(x) ? x : x * ($real)0x1p64, exponent);
}

/* x multiplied by a power of two, rounded once. */
static $real __raddle_math_scaled@($real x, long n)
{
  if (__raddle_math_is_special@(x))
    return x + x;
  n = (n > 100000 ? 100000 : n < -100000 ? -100000 : n) + __raddle_math_power@(x);
  if (0 < n && n < $top)
    return __raddle_math_mantissa@(x, n);
  $real scaled = 0;
  if (n > 0)
    scaled = __builtin_inf@();
  else if (n > -70)
    scaled = __raddle_math_mantissa@(__builtin_fabs@(x), n + 70) * ($real)0x1p-70;
  if (scaled == 0 || n > 0)
    __raddle_errno = 34;
  return __builtin_copysign@(scaled, x);
}

$real ldexp@($real x, int n) { return __raddle_math_scaled@(x, n); }
$real scalbn@($real x, int n) { return __raddle_math_scaled@(x, n); }
$real scalbln@($real x, long n) { return __raddle_math_scaled@(x, n); }

static $real __raddle_math_domain@(void)
{
  $real zero = 0;
  __raddle_errno = 33;
  return zero / zero;
}

$real scalb@($real x, $real n)
{
  if (x != x || n != n)
    return x + n;
  if (__builtin_isinf(n)) {
    $real result = n > 0 ? x * n : x / -n;
    return result != result ? __raddle_math_domain@() : result;
  }
  if (__builtin_trunc@(n) != n)
    return __raddle_math_domain@();
  return __raddle_math_scaled@(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (long)n);
}

$real frexp@($real x, int *exponent)
{
  *exponent = 0;
  if (__raddle_math_is_special@(x))
    return x + x;
  *exponent = __raddle_math_power@(x) - ($bias - 1);
  return __raddle_math_mantissa@(x, $bias - 1);
}

$real modf@($real x, $real *whole)
{
  *whole = __builtin_trunc@(x);
  return __builtin_copysign@(__builtin_isinf(x) ? 0 : x - *whole, x);
}

$real logb@($real x)
{
  if (x == 0)
    return -__builtin_inf@();
  return __raddle_math_is_special@(x) ? x * x : __raddle_math_power@(x) - $bias;
}

int ilogb@($real x)
{
  if (!__raddle_math_is_special@(x))
    return __raddle_math_power@(x) - $bias;
  __raddle_errno = 33;
  return __builtin_isinf(x) ? 0x7fffffff : -0x7fffffff - 1;
}

long llogb@($real x)
{
  if (!__raddle_math_is_special@(x))
    return __raddle_math_power@(x) - $bias;
  __raddle_errno = 33;
  long most = ~0ul >> 1;
  return __builtin_isinf(x) ? most : -most - 1;
}

$real significand@($real x)
{
  if (!__raddle_math_is_special@(x))
    return __raddle_math_mantissa@(x, $bias);
  /* glibc's for `long double` sets no errno. */
  if ($point != 63)
    __raddle_errno = 33;
  return x + x;
}

static $real __raddle_math_next@($real x, _Bool up)
{
  if (x == 0)
    return up ? __raddle_decoded@(1) : -__raddle_decoded@(1);
  $bits encoding = __raddle_encoding@(x);
  return __raddle_decoded@((x > 0) == up ? encoding + 1 : encoding - 1);
}

$real nextup@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  return __raddle_math_next@(x, 1);
}

$real nextdown@($real x)
{
  if (x != x || x == -__builtin_inf@())
    return x + x;
  return __raddle_math_next@(x, 0);
}

static $real __raddle_math_toward@($real x, _Bool up)
{
  $real next = __raddle_math_next@(x, up);
  if (x != 0 && __builtin_fabs@(next) < $least || __builtin_isinf(next))
    __raddle_errno = 34;
  return next;
}

$real nextafter@($real x, $real y)
{
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __raddle_math_toward@(x, x < y);
}

$real nexttoward@($real x, long double y)
{
  if (x != x || y != y)
    return x + y;
  return x == y ? y : __raddle_math_toward@(x, x < y);
}

/* |x| - n * |y| for the nearest n, the even one of two; its last three bits with it. `x` is below 8 * |y|: multiples of |y| that overflow are above it. */
static $real __raddle_math_nearest@($real x, $real y, int *n)
{
  int quotient = 0;
  if (x >= 4 * y) {
    x -= 4 * y;
    quotient = 4;
  }
  if (x >= 2 * y) {
    x -= 2 * y;
    quotient += 2;
  }
  if (x >= y) {
    x -= y;
    quotient += 1;
  }
  /* Where x is at least half of y, the difference is exact. */
  $real rest = y - x;
  _Bool up = x > rest || x == rest && quotient & 1;
  *n = quotient + up;
  return up ? -rest : x;
}

$real remquo@($real x, $real y, int *quotient)
{
  if (x != x || y != y)
    return x + y;
  if (__builtin_isinf(x) || y == 0) {
    $real zero = 0;
    return zero / zero;
  }
  int n = 0;
  $real rest = __builtin_fabs@(x);
  if (!__builtin_isinf(y))
    rest = __raddle_math_nearest@(__builtin_fmod@(rest, 8 * __builtin_fabs@(y)), __builtin_fabs@(y), &n);
  *quotient = __builtin_signbit(x) == __builtin_signbit(y) ? n : -n;
  return __builtin_signbit(x) ? -rest : rest;
}

$real remainder@($real x, $real y)
{
  if (x == x && y == y && (__builtin_isinf(x) || y == 0))
    return __raddle_math_domain@();
  int n;
  return remquo@(x, y, &n);
}

$real drem@($real x, $real y) { return remainder@(x, y); }

int __issignaling@($real x) { return x != x && !(__raddle_encoding@(x) >> ($point - 1) & 1); }

int __iseqsig@($real x, $real y)
{
  if (x != x || y != y)
    __raddle_errno = 33;
  return x == y;
}

/* The larger or smaller magnitude; a quiet NaN is no number. */
static $real __raddle_math_number@($real x, $real y)
{
  if (__issignaling@(x) || __issignaling@(y))
    return x + y;
  return y != y ? x : y;
}

$real fmaxmag@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  if (x != x || y != y)
    return __raddle_math_number@(x, y);
  return a > b || a == b && x > y ? x : y;
}

$real fminmag@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  if (x != x || y != y)
    return __raddle_math_number@(x, y);
  return a < b || a == b && x < y ? x : y;
}

/* These order the zeros. */
$real fmaximum@($real x, $real y)
{
  if (x != x || y != y)
    return x + y;
  return x > y || x == y && !__builtin_signbit(x) ? x : y;
}

$real fminimum@($real x, $real y)
{
  if (x != x || y != y)
    return x + y;
  return x < y || x == y && __builtin_signbit(x) ? x : y;
}

$real fmaximum_num@($real x, $real y)
{
  if ((x != x) != (y != y))
    return x != x ? y : x;
  return fmaximum@(x, y);
}

$real fminimum_num@($real x, $real y)
{
  if ((x != x) != (y != y))
    return x != x ? y : x;
  return fminimum@(x, y);
}

$real fmaximum_mag@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  return a > b ? x : a < b ? y : fmaximum@(x, y);
}

$real fminimum_mag@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  return a < b ? x : a > b ? y : fminimum@(x, y);
}

$real fmaximum_mag_num@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  return a > b ? x : a < b ? y : fmaximum_num@(x, y);
}

$real fminimum_mag_num@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  return a < b ? x : a > b ? y : fminimum_num@(x, y);
}

/* Rounding to an integer of some bits; what does not fit is an error. */
static $real __raddle_math_rounded@($real x, int direction)
{
  switch (direction) {
  case 0: return __builtin_ceil@(x);
  case 1: return __builtin_floor@(x);
  case 3: return __builtin_round@(x);
  case 4: return __builtin_rint@(x);
  default: return __builtin_trunc@(x);
  }
}

long long fromfp@($real x, int direction, unsigned width)
{
  if (width == 0) {
    __raddle_errno = 33;
    return 0;
  }
  width = width > 64 ? 64 : width;
  $real rounded = __raddle_math_rounded@(x, direction);
  $real limit = __raddle_decoded@(($bits)($bias + width - 1) << $point);
  if (-limit <= rounded && rounded < limit)
    return (long long)rounded;
  __raddle_errno = 33;
  long long most = ~0ull >> 1 >> (64 - width);
  return __builtin_signbit(x) ? -most - 1 : most;
}

unsigned long long ufromfp@($real x, int direction, unsigned width)
{
  if (width == 0) {
    __raddle_errno = 33;
    return 0;
  }
  width = width > 64 ? 64 : width;
  $real rounded = __raddle_math_rounded@(x, direction);
  if (0 <= rounded && rounded < __raddle_decoded@(($bits)($bias + width) << $point))
    return (unsigned long long)rounded;
  __raddle_errno = 33;
  return __builtin_signbit(x) ? 0 : ~0ull >> (64 - width);
}

long long fromfpx@($real x, int direction, unsigned width) { return fromfp@(x, direction, width); }
unsigned long long ufromfpx@($real x, int direction, unsigned width) { return ufromfp@(x, direction, width); }

int canonicalize@($real *to, const $real *from)
{
  $real x = *from;
  *to = x != x ? x + x : x;
  return 0;
}

static int __raddle_math_ordered@($real x, $real y)
{
  _Bool negative = __builtin_signbit(x) != 0;
  if (negative != (__builtin_signbit(y) != 0))
    return negative;
  $bits a = __raddle_encoding@(x), b = __raddle_encoding@(y);
  return negative ? a >= b : a <= b;
}

int totalorder@(const $real *x, const $real *y) { return __raddle_math_ordered@(*x, *y); }
int totalordermag@(const $real *x, const $real *y) { return __raddle_math_ordered@(__builtin_fabs@(*x), __builtin_fabs@(*y)); }

$real getpayload@(const $real *x)
{
  if (*x == *x)
    return -1;
  return __raddle_encoding@(*x) & ((($bits)1 << ($point - 1)) - 1);
}

static int __raddle_math_set_payload@($real *to, $real payload, _Bool quiet)
{
  *to = 0;
  if (!(payload >= !quiet) || __builtin_signbit(payload) || __builtin_trunc@(payload) != payload)
    return 1;
  if (payload >= __raddle_decoded@(($bits)($bias + $point - 1) << $point))
    return 1;
  *to = __raddle_decoded@(($bits)$top << $point | ($bits)quiet << ($point - 1) | ($bits)payload);
  return 0;
}

int setpayload@($real *to, $real payload) { return __raddle_math_set_payload@(to, payload, 1); }
int setpayloadsig@($real *to, $real payload) { return __raddle_math_set_payload@(to, payload, 0); }

/* A tag that is not all of a number counts as zero. */
$real nan@(const char *tag)
{
  unsigned base = 10;
  if (tag[0] == '0') {
    base = tag[1] == 'x' || tag[1] == 'X' ? 16 : 8;
    tag += base == 16 ? 2 : 1;
  }
  unsigned long long payload = 0;
  for (; *tag; tag++) {
    unsigned digit = *tag >= 'a' ? *tag - 'a' + 10 : *tag >= 'A' ? *tag - 'A' + 10 : *tag - '0';
    if (digit >= base) {
      payload = 0;
      break;
    }
    payload = payload > (~0ull - digit) / base ? ~0ull : payload * base + digit;
  }
  $bits quiet = ($bits)1 << ($point - 1);
  return __raddle_decoded@(($bits)$top << $point | quiet | (payload & (quiet - 1)));
}

