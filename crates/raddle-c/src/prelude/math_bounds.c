/* <math.h> where results are rounded to within a few units in the last place. A template like `math_exact.c`.

   A result is any number within bounds that hold for glibc's, so that all of those are allowed: proofs are sound, and a
   counterexample may need a result that no library gives. Special cases are those of C's Annex F, errno is set as glibc sets it. */

extern $bits __raddle_encoding@($real);
extern $real __VERIFIER_nondet_real@(void);
extern int *__raddle_signgam(void);

static $real __raddle_math_within@($real low, $real high)
{
  $real result = __VERIFIER_nondet_real@();
  return result >= low ? result <= high ? result : high : low;
}

/* The same with the sign of x. */
static $real __raddle_math_signed@($real low, $real high, $real x)
{
  return __builtin_copysign@(__raddle_math_within@(low, high), x);
}

static $real __raddle_math_out_of_range@($real result)
{
  __raddle_errno = 34;
  return result;
}

/* Outside of the domain: a NaN of either sign. */
static $real __raddle_math_invalid@(void)
{
  $real zero = 0, result = zero / zero;
  __raddle_errno = 33;
  return __VERIFIER_nondet_bool() ? result : -result;
}

/* A result that came from finite numbers: overflow is noted, underflow perhaps. */
static $real __raddle_math_ranged@($real result)
{
  if (__builtin_isinf(result) || __builtin_fabs@(result) < $least && __VERIFIER_nondet_bool())
    __raddle_errno = 34;
  return result;
}

static _Bool __raddle_math_is_whole@($real x) { return __builtin_trunc@(x) == x; }

static _Bool __raddle_math_is_odd@($real x) { return __raddle_math_is_whole@(x) && !__raddle_math_is_whole@(x * ($real)0.5); }

$real sin@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (__builtin_isinf(x))
    return __raddle_math_invalid@();
  return __raddle_math_within@(0 < x && x <= 3 ? 0 : -1, -3 <= x && x < 0 ? 0 : 1);
}

$real cos@($real x)
{
  if (x != x)
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return __raddle_math_invalid@();
  return __raddle_math_within@(-1.5 <= x && x <= 1.5 ? 0 : -1, 1);
}

void sincos@($real x, $real *sine, $real *cosine)
{
  *sine = sin@(x);
  *cosine = cos@(x);
}

$real tan@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (__builtin_isinf(x))
    return __raddle_math_invalid@();
  return __raddle_math_within@(0 < x && x <= 1.5 ? 0 : -$most, -1.5 <= x && x < 0 ? 0 : $most);
}

$real asin@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  return __raddle_math_signed@(0, $half_pi, x);
}

$real acos@($real x)
{
  if (x != x)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  if (x == 1)
    return 0;
  return __raddle_math_within@(x > 0 ? 0 : 1.5, x >= 0 ? $half_pi : $pi);
}

$real atan@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_signed@(__builtin_isinf(x) ? $under_half_pi : 0, $half_pi, x);
}

$real atan2@($real y, $real x)
{
  if (x != x || y != y)
    return x + y;
  if (y == 0 && !__builtin_signbit(x))
    return y;
  if (y == 0)
    return __raddle_math_signed@($under_pi, $pi, y);
  $real low = x < 0 ? $under_half_pi : x == 0 ? $under_half_pi : 0;
  return __raddle_math_ranged@(__raddle_math_signed@(low, x > 0 ? $half_pi : x == 0 ? $half_pi : $pi, y));
}

$real sinh@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || x == 0 || __builtin_isinf(x))
    return x + x;
  if (a >= $exp_over + 1)
    return __raddle_math_out_of_range@(x > 0 ? __builtin_inf@() : -__builtin_inf@());
  return __raddle_math_ranged@(__raddle_math_signed@(a >= 1 ? a : 0, a < 1 ? 2 : a <= $exp_safe ? $most : __builtin_inf@(), x));
}

$real cosh@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || __builtin_isinf(x))
    return a;
  if (x == 0)
    return 1;
  if (a >= $exp_over + 1)
    return __raddle_math_out_of_range@(__builtin_inf@());
  return __raddle_math_ranged@(__raddle_math_within@(a >= 2 ? a : 1, a < 1 ? 2 : a <= $exp_safe ? $most : __builtin_inf@()));
}

$real tanh@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_signed@(__builtin_isinf(x) ? 1 : 0, 1, x);
}

$real asinh@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || x == 0 || __builtin_isinf(x))
    return x + x;
  return __raddle_math_signed@(0, a < 1 ? 1 : a < $log_most ? a : $log_most + 1, x);
}

$real acosh@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x < 1)
    return __raddle_math_invalid@();
  if (x == 1)
    return 0;
  return __raddle_math_within@(0, x < $log_most ? x : $log_most + 1);
}

$real atanh@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  if (x == 1 || x == -1)
    return __raddle_math_out_of_range@(x / 0);
  return __raddle_math_signed@(0, 23, x);
}

/* What is common to the powers of a constant. Above `over` the result is infinite, below `under` it is zero, up to `safe` it is finite; between `low` and `high` it may
   be that of zero. */
static $real __raddle_math_power_of@($real x, $real under, $real safe, $real over, $real low, $real high)
{
  if (x >= over)
    return __raddle_math_out_of_range@(__builtin_inf@());
  if (x <= under)
    return __raddle_math_out_of_range@(0);
  return __raddle_math_ranged@(__raddle_math_within@(x < 0 ? 0 : low, x < 0 ? high : x <= safe ? $most : __builtin_inf@()));
}

$real exp@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return 0;
  $real result = __raddle_math_power_of@(x, $exp_under, $exp_safe, $exp_over, $under_one, $over_one);
  return result < x ? x : result;
}

$real exp2@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (__builtin_isinf(x))
    return 0;
  if (__raddle_math_is_whole@(x) && -20000 < x && x < 20000)
    return ldexp@(1, (int)x);
  return __raddle_math_power_of@(x, -$bias - $point, $bias, $bias + 1, $under_one, $over_one);
}

$real exp10@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return 0;
  return __raddle_math_power_of@(x, $exp10_under, $exp10_safe, $exp10_safe + 1, $near_one, $beyond_one);
}

$real expm1@($real x)
{
  if (x != x || x == 0 || x == __builtin_inf@())
    return x + x;
  if (__builtin_isinf(x))
    return -1;
  if (x >= $exp_over)
    return __raddle_math_out_of_range@(__builtin_inf@());
  if (x < 0)
    return __raddle_math_ranged@(-__raddle_math_within@(0, 1));
  return __raddle_math_ranged@(__raddle_math_within@(x >= 1 ? x : 0, x < 1 ? 2 : x <= $exp_safe ? $most : __builtin_inf@()));
}

/* The logarithm of a number that is finite and positive. */
static $real __raddle_math_logarithm@($real x, $real least, $real most)
{
  return x == 1 ? 0 : x > 1 ? __raddle_math_within@(0, most) : -__raddle_math_within@(0, -least);
}

$real log@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  return x < 0 ? __raddle_math_invalid@() : __raddle_math_logarithm@(x, $log_least, x < $log_most ? x : $log_most);
}

$real log2@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  if (x < 0)
    return __raddle_math_invalid@();
  int exponent;
  if (frexp@(x, &exponent) == ($real)0.5)
    return exponent - 1;
  return __raddle_math_within@(exponent - 1, exponent);
}

$real log10@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  return x < 0 ? __raddle_math_invalid@() : __raddle_math_logarithm@(x, $log10_least, x < $log10_most ? x : $log10_most);
}

$real log1p@($real x)
{
  if (x != x || x == 0 || x == __builtin_inf@())
    return x + x;
  if (x == -1)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  if (x < -1)
    return __raddle_math_invalid@();
  return x < 0 ? -__raddle_math_within@(0, 45) : __raddle_math_within@(0, x < 1 ? 1 : x < $log_most ? x : $log_most);
}

static unsigned long long __raddle_math_power_step@(unsigned long long so_far, unsigned long long base, _Bool is_wanted)
{
  unsigned long long product;
  if (!is_wanted)
    return so_far;
  return __builtin_mul_overflow(so_far, base, &product) ? 0 : product;
}

/* A power of a whole number, 0 if that needs more than 64 bits. Exponents have five bits. */
static unsigned long long __raddle_math_whole_power@(unsigned long long base, unsigned n)
{
  unsigned long long result = __raddle_math_power_step@(1, base, n & 1);
  base = base * base;
  result = __raddle_math_power_step@(result, base, n >> 1 & 1);
  base = n >> 2 ? __raddle_math_power_step@(base, base, 1) : 0;
  result = __raddle_math_power_step@(result, base, n >> 2 & 1);
  base = n >> 3 ? __raddle_math_power_step@(base, base, 1) : 0;
  result = __raddle_math_power_step@(result, base, n >> 3 & 1);
  base = n >> 4 ? __raddle_math_power_step@(base, base, 1) : 0;
  return __raddle_math_power_step@(result, base, n >> 4 & 1);
}

/* For finite numbers with a > 0, other than 1. A result that the format has is given exactly: the error before rounding is far below half of a unit. */
static $real __raddle_math_power_to@($real a, $real y)
{
  if (y == 1)
    return a;
  int exponent;
  if (__raddle_math_is_whole@(y) && -40000 < y && y < 40000 && frexp@(a, &exponent) == ($real)0.5)
    return ldexp@(1, (exponent - 1) * (int)y);
  if (__raddle_math_is_whole@(y) && __raddle_math_is_whole@(a) && 2 <= y && y <= 31 && a <= 0x1p31) {
    unsigned long long power = __raddle_math_whole_power@((unsigned long long)a, (unsigned)y);
    $real result = power;
    if (power != 0 && power >> 63 == 0 && (unsigned long long)result == power)
      return result;
  }
  _Bool grows = (a > 1) == (y > 0);
  return __raddle_math_ranged@(__raddle_math_within@(grows ? $under_one : 0, grows ? __builtin_inf@() : $over_one));
}

$real pow@($real x, $real y)
{
  if (y == 0 || x == 1)
    return 1;
  if (x != x || y != y)
    return x + y;
  if (x < 0 && !__builtin_isinf(x) && !__raddle_math_is_whole@(y))
    return __raddle_math_invalid@();
  $real a = __builtin_fabs@(x), result;
  _Bool negative = __builtin_signbit(x) && __raddle_math_is_odd@(y);
  if (x == 0 && y < 0)
    result = __builtin_isinf(y) ? __builtin_inf@() : __raddle_math_out_of_range@(__builtin_inf@());
  else if (a == 1)
    result = 1;
  else if (x == 0 || __builtin_isinf(y) || __builtin_isinf(x))
    result = (a > 1) == (y > 0) ? __builtin_inf@() : 0;
  else
    result = __raddle_math_power_to@(a, y);
  return negative ? -result : result;
}

$real cbrt@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || x == 0 || __builtin_isinf(x))
    return x + x;
  return __raddle_math_signed@(a >= 1 ? $near_one : a, a > 1 ? a : $beyond_one, x);
}

$real hypot@($real x, $real y)
{
  $real a = __builtin_fabs@(x), b = __builtin_fabs@(y);
  if (__builtin_isinf(x) || __builtin_isinf(y))
    return __builtin_inf@();
  if (x != x || y != y)
    return x + y;
  if (a == 0 || b == 0)
    return a + b;
  return __raddle_math_ranged@(__raddle_math_within@((a < b ? b : a) * $near_one, (a + b) * $beyond_one));
}

$real erf@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_ranged@(__raddle_math_signed@(__builtin_isinf(x) ? 1 : 0, 1, x));
}

$real erfc@($real x)
{
  if (x != x)
    return x + x;
  if (__builtin_isinf(x))
    return x > 0 ? 0 : 2;
  if (x == 0)
    return 1;
  return __raddle_math_ranged@(__raddle_math_within@(x > 0 ? 0 : $under_one, x > 0 ? $over_one : 2));
}

$real lgamma@_r($real x, int *sign)
{
  *sign = 1;
  if (x != x)
    return x + x;
  if (__builtin_isinf(x))
    return __builtin_inf@();
  if (x == 0)
    *sign = __builtin_signbit(x) ? -1 : 1;
  if (x == 0 || x < 0 && __raddle_math_is_whole@(x))
    return __raddle_math_out_of_range@(__builtin_inf@());
  if (x < 0) {
    *sign = __raddle_math_is_odd@(__builtin_floor@(x)) ? -1 : 1;
    return __raddle_math_ranged@(__raddle_math_within@(-$most, $most));
  }
  if (x == 1 || x == 2)
    return 0;
  $real result = __raddle_math_within@(x >= 3 ? 0.5 : -0.125, x >= 3 ? __builtin_inf@() : $log_least * -2);
  if (__builtin_isinf(result))
    __raddle_errno = 34;
  return result;
}

$real lgamma@($real x) { return lgamma@_r(x, __raddle_signgam()); }
$real gamma@($real x) { return lgamma@(x); }

$real tgamma@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(__builtin_copysign@(__builtin_inf@(), x));
  if (x < 0 && __raddle_math_is_whole@(x))
    return __raddle_math_invalid@();
  if (x >= $gamma_over)
    return __raddle_math_out_of_range@(__builtin_inf@());
  if (x > 0)
    return __raddle_math_ranged@(__raddle_math_within@(0.875, __builtin_inf@()));
  $real result = __raddle_math_ranged@(__builtin_fabs@(__raddle_math_within@(0, __builtin_inf@())));
  return __raddle_math_is_odd@(__builtin_floor@(x)) ? -result : result;
}

/* Bessel functions. Their absolute error is small, whatever the relative one is. */
static $real __raddle_math_bessel@($real x)
{
  if (x != x)
    return x + x;
  return __builtin_isinf(x) ? 0 : __raddle_math_ranged@(__raddle_math_within@(-$beyond_one, $beyond_one));
}

$real j0@($real x) { return x == 0 ? 1 : __raddle_math_bessel@(x); }
$real j1@($real x) { return x == 0 || x == -__builtin_inf@() ? __builtin_copysign@(0, x) : __raddle_math_bessel@(x); }

$real jn@(int n, $real x)
{
  if (x == 0 && n == 0)
    return 1;
  if (x == 0 || __builtin_isinf(x))
    return __VERIFIER_nondet_bool() ? 0 : -($real)0;
  return __raddle_math_bessel@(x);
}

static $real __raddle_math_bessel_second@($real x, $real least, $real most, $real pole)
{
  if (x != x || x == __builtin_inf@())
    return x != x ? x + x : 0;
  if (x < 0)
    return __raddle_math_invalid@();
  return x == 0 ? __raddle_math_out_of_range@(pole) : __raddle_math_ranged@(__raddle_math_within@(least, most));
}

$real y0@($real x) { return __raddle_math_bessel_second@(x, -8000, 1, -__builtin_inf@()); }
$real y1@($real x) { return __raddle_math_bessel_second@(x, -__builtin_inf@(), 1, -__builtin_inf@()); }

$real yn@(int n, $real x)
{
  _Bool flips = n < 0 && n & 1;
  return __raddle_math_bessel_second@(x, -__builtin_inf@(), __builtin_inf@(), flips ? __builtin_inf@() : -__builtin_inf@());
}

