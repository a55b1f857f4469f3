/* <math.h> where results are rounded to within a few units in the last place. A template like `math_exact.c`.

   `__raddle_result_f` is the result of f: any number for a proof, what the library gives where it can be computed. It is put within bounds that hold for glibc's, so that all of those
   are allowed. A counterexample that needs another result than the library's is none. Special cases are those of C's Annex F, errno is set as glibc sets it. */

extern $bits __raddle_encoding@($real);
extern int *__raddle_signgam(void);
/* May errno be set? */
extern _Bool __raddle_result_errno(void);
extern $real __raddle_result_sin@($real), __raddle_result_cos@($real), __raddle_result_tan@($real);
extern $real __raddle_result_asin@($real), __raddle_result_acos@($real), __raddle_result_atan@($real);
extern $real __raddle_result_sinh@($real), __raddle_result_cosh@($real), __raddle_result_tanh@($real);
extern $real __raddle_result_asinh@($real), __raddle_result_acosh@($real), __raddle_result_atanh@($real);
extern $real __raddle_result_exp@($real), __raddle_result_exp2@($real), __raddle_result_exp10@($real);
extern $real __raddle_result_expm1@($real), __raddle_result_log@($real), __raddle_result_log2@($real);
extern $real __raddle_result_log10@($real), __raddle_result_log1p@($real), __raddle_result_cbrt@($real);
extern $real __raddle_result_erf@($real), __raddle_result_erfc@($real), __raddle_result_lgamma@($real);
extern $real __raddle_result_tgamma@($real), __raddle_result_j0@($real), __raddle_result_j1@($real);
extern $real __raddle_result_y0@($real), __raddle_result_y1@($real), __raddle_result_atan2@($real, $real);
extern $real __raddle_result_pow@($real, $real), __raddle_result_hypot@($real, $real), __raddle_result_jn@(int, $real);
extern $real __raddle_result_yn@(int, $real);

static $real __raddle_math_within@($real result, $real low, $real high)
{
  return result >= low ? result <= high ? result : high : low;
}

/* Its absolute value is within bounds, its sign is that of x. */
static $real __raddle_math_signed@($real result, $real low, $real high, $real x)
{
  return __builtin_copysign@(__raddle_math_within@(__builtin_fabs@(result), low, high), x);
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
  if (__builtin_isinf(result) || __builtin_fabs@(result) < $least && __raddle_result_errno())
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
  return __raddle_math_within@(__raddle_result_sin@(x), 0 < x && x <= 3 ? 0 : -1, -3 <= x && x < 0 ? 0 : 1);
}

$real cos@($real x)
{
  if (x != x)
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return __raddle_math_invalid@();
  return __raddle_math_within@(__raddle_result_cos@(x), -1.5 <= x && x <= 1.5 ? 0 : -1, 1);
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
  return __raddle_math_within@(__raddle_result_tan@(x), 0 < x && x <= 1.5 ? 0 : -$most, -1.5 <= x && x < 0 ? 0 : $most);
}

$real asin@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  return __raddle_math_signed@(__raddle_result_asin@(x), 0, $half_pi, x);
}

$real acos@($real x)
{
  if (x != x)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  if (x == 1)
    return 0;
  return __raddle_math_within@(__raddle_result_acos@(x), x > 0 ? 0 : 1.5, x >= 0 ? $half_pi : $pi);
}

$real atan@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_signed@(__raddle_result_atan@(x), __builtin_isinf(x) ? $under_half_pi : 0, $half_pi, x);
}

$real atan2@($real y, $real x)
{
  if (x != x || y != y)
    return x + y;
  if (y == 0 && !__builtin_signbit(x))
    return y;
  if (y == 0)
    return __raddle_math_signed@(__raddle_result_atan2@(y, x), $under_pi, $pi, y);
  $real low = x <= 0 ? $under_half_pi : 0, high = x >= 0 ? $half_pi : $pi;
  return __raddle_math_ranged@(__raddle_math_signed@(__raddle_result_atan2@(y, x), low, high, y));
}

$real sinh@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || x == 0 || __builtin_isinf(x))
    return x + x;
  if (a >= $exp_over + 1)
    return __raddle_math_out_of_range@(x > 0 ? __builtin_inf@() : -__builtin_inf@());
  $real high = a < 1 ? 2 : a <= $exp_safe ? $most : __builtin_inf@();
  return __raddle_math_ranged@(__raddle_math_signed@(__raddle_result_sinh@(x), a >= 1 ? a : 0, high, x));
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
  $real high = a < 1 ? 2 : a <= $exp_safe ? $most : __builtin_inf@();
  return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_cosh@(x), a >= 2 ? a : 1, high));
}

$real tanh@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_signed@(__raddle_result_tanh@(x), __builtin_isinf(x) ? 1 : 0, 1, x);
}

$real asinh@($real x)
{
  $real a = __builtin_fabs@(x);
  if (x != x || x == 0 || __builtin_isinf(x))
    return x + x;
  return __raddle_math_signed@(__raddle_result_asinh@(x), 0, a < 1 ? 1 : a < $log_most ? a : $log_most + 1, x);
}

$real acosh@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x < 1)
    return __raddle_math_invalid@();
  if (x == 1)
    return 0;
  return __raddle_math_within@(__raddle_result_acosh@(x), 0, x < $log_most ? x : $log_most + 1);
}

$real atanh@($real x)
{
  if (x != x || x == 0)
    return x + x;
  if (x > 1 || x < -1)
    return __raddle_math_invalid@();
  if (x == 1 || x == -1)
    return __raddle_math_out_of_range@(x / 0);
  return __raddle_math_signed@(__raddle_result_atanh@(x), 0, 23, x);
}

/* Powers of a constant: infinite or zero, and those up to `safe`, which are finite; between `low` and `high` they may be that of zero. */
static $real __raddle_math_extreme@($real x) { return __raddle_math_out_of_range@(x > 0 ? __builtin_inf@() : 0); }

static $real __raddle_math_power_of@($real result, $real x, $real safe, $real low, $real high)
{
  return __raddle_math_ranged@(__raddle_math_within@(result, x < 0 ? 0 : low, x < 0 ? high : x <= safe ? $most : __builtin_inf@()));
}

$real exp@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return 0;
  if (x >= $exp_over || x <= $exp_under)
    return __raddle_math_extreme@(x);
  $real result = __raddle_math_power_of@(__raddle_result_exp@(x), x, $exp_safe, $under_one, $over_one);
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
  if (x >= $bias + 1 || x <= -$bias - $point)
    return __raddle_math_extreme@(x);
  return __raddle_math_power_of@(__raddle_result_exp2@(x), x, $bias, $under_one, $over_one);
}

$real exp10@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return 1;
  if (__builtin_isinf(x))
    return 0;
  if (x >= $exp10_safe + 1 || x <= $exp10_under)
    return __raddle_math_extreme@(x);
  return __raddle_math_power_of@(__raddle_result_exp10@(x), x, $exp10_safe, $near_one, $beyond_one);
}

$real expm1@($real x)
{
  if (x != x || x == 0 || x == __builtin_inf@())
    return x + x;
  if (__builtin_isinf(x))
    return -1;
  if (x >= $exp_over)
    return __raddle_math_out_of_range@(__builtin_inf@());
  $real high = x < 0 ? -($real)0 : x < 1 ? 2 : x <= $exp_safe ? $most : __builtin_inf@();
  return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_expm1@(x), x < 0 ? -1 : x >= 1 ? x : 0, high));
}

/* The logarithm of a number that is finite and positive, other than 1. */
static $real __raddle_math_logarithm@($real result, $real x, $real least, $real most)
{
  return x > 1 ? __raddle_math_within@(result, 0, most) : __raddle_math_within@(result, least, -($real)0);
}

$real log@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  if (x < 0)
    return __raddle_math_invalid@();
  return x == 1 ? 0 : __raddle_math_logarithm@(__raddle_result_log@(x), x, $log_least, x < $log_most ? x : $log_most);
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
  return __raddle_math_within@(__raddle_result_log2@(x), exponent - 1, exponent);
}

$real log10@($real x)
{
  if (x != x || x == __builtin_inf@())
    return x + x;
  if (x == 0)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  if (x < 0)
    return __raddle_math_invalid@();
  return x == 1 ? 0 : __raddle_math_logarithm@(__raddle_result_log10@(x), x, $log10_least, x < $log10_most ? x : $log10_most);
}

$real log1p@($real x)
{
  if (x != x || x == 0 || x == __builtin_inf@())
    return x + x;
  if (x == -1)
    return __raddle_math_out_of_range@(-__builtin_inf@());
  if (x < -1)
    return __raddle_math_invalid@();
  $real high = x < 0 ? -($real)0 : x < 1 ? 1 : x < $log_most ? x : $log_most;
  return __raddle_math_within@(__raddle_result_log1p@(x), x < 0 ? -45 : 0, high);
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
  return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_pow@(a, y), grows ? $under_one : 0, grows ? __builtin_inf@() : $over_one));
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
  return __raddle_math_signed@(__raddle_result_cbrt@(x), a >= 1 ? $near_one : a, a > 1 ? a : $beyond_one, x);
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
  $real low = (a < b ? b : a) * $near_one, high = (a + b) * $beyond_one;
  return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_hypot@(x, y), low, high));
}

$real erf@($real x)
{
  if (x != x || x == 0)
    return x + x;
  return __raddle_math_ranged@(__raddle_math_signed@(__raddle_result_erf@(x), __builtin_isinf(x) ? 1 : 0, 1, x));
}

$real erfc@($real x)
{
  if (x != x)
    return x + x;
  if (__builtin_isinf(x))
    return x > 0 ? 0 : 2;
  if (x == 0)
    return 1;
  return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_erfc@(x), x > 0 ? 0 : $under_one, x > 0 ? $over_one : 2));
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
    return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_lgamma@(x), -$most, $most));
  }
  if (x == 1 || x == 2)
    return 0;
  $real result = __raddle_math_within@(__raddle_result_lgamma@(x), x >= 3 ? 0.5 : -0.125, x >= 3 ? __builtin_inf@() : $log_least * -2);
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
    return __raddle_math_ranged@(__raddle_math_within@(__raddle_result_tgamma@(x), 0.875, __builtin_inf@()));
  $real sign = __raddle_math_is_odd@(__builtin_floor@(x)) ? -1 : 1;
  return __raddle_math_ranged@(__raddle_math_signed@(__raddle_result_tgamma@(x), 0, __builtin_inf@(), sign));
}

/* Bessel functions. Their absolute error is small, whatever the relative one is. */
static $real __raddle_math_bessel@($real result)
{
  return __raddle_math_ranged@(__raddle_math_within@(result, -$beyond_one, $beyond_one));
}

static _Bool __raddle_math_is_finite@($real x) { return x - x == 0; }

$real j0@($real x)
{
  if (__raddle_math_is_finite@(x))
    return x == 0 ? 1 : __raddle_math_bessel@(__raddle_result_j0@(x));
  return x != x ? x + x : 0;
}

$real j1@($real x)
{
  if (x != x)
    return x + x;
  if (x == 0 || __builtin_isinf(x))
    return __builtin_copysign@(0, x);
  return __raddle_math_bessel@(__raddle_result_j1@(x));
}

$real jn@(int n, $real x)
{
  if (x != x)
    return x + x;
  if (x == 0 && n == 0)
    return 1;
  if (x == 0 || __builtin_isinf(x))
    return __builtin_copysign@(0, __raddle_result_jn@(n, x));
  return __raddle_math_bessel@(__raddle_result_jn@(n, x));
}

static $real __raddle_math_bessel_second@($real result, $real least, $real most)
{
  return __raddle_math_ranged@(__raddle_math_within@(result, least, most));
}

/* Where it is no finite positive number. */
static $real __raddle_math_bessel_pole@($real x, $real pole)
{
  if (x != x || x == __builtin_inf@())
    return x != x ? x + x : 0;
  return x < 0 ? __raddle_math_invalid@() : __raddle_math_out_of_range@(pole);
}

$real y0@($real x)
{
  if (!(x > 0 && __raddle_math_is_finite@(x)))
    return __raddle_math_bessel_pole@(x, -__builtin_inf@());
  return __raddle_math_bessel_second@(__raddle_result_y0@(x), -8000, 1);
}

$real y1@($real x)
{
  if (!(x > 0 && __raddle_math_is_finite@(x)))
    return __raddle_math_bessel_pole@(x, -__builtin_inf@());
  return __raddle_math_bessel_second@(__raddle_result_y1@(x), -__builtin_inf@(), 1);
}

$real yn@(int n, $real x)
{
  _Bool flips = n < 0 && n & 1;
  if (!(x > 0 && __raddle_math_is_finite@(x)))
    return __raddle_math_bessel_pole@(x, flips ? __builtin_inf@() : -__builtin_inf@());
  return __raddle_math_bessel_second@(__raddle_result_yn@(n, x), -__builtin_inf@(), __builtin_inf@());
}
