/* <math.h>, as far as it is neither an operator of the Program nor the same in all formats: results narrower than their operands, and other names. */

extern unsigned __int128 __raddle_encodingl(long double);
extern long double __raddle_decodedl(unsigned __int128);

/* Results narrower than their operands are rounded once. Each is computed in `long double`, rounded to odd: where it is not exact, the last bit is set. Rounding that to a
   format with two bits less, or fewer, gives what rounding the exact result would give. */
static long double __raddle_math_to_odd(long double nearest, long double rest)
{
  unsigned __int128 encoding = __raddle_encodingl(nearest);
  if (rest == 0 || nearest == 0 || nearest - nearest != 0 || encoding & 1)
    return nearest;
  return __raddle_decodedl((rest > 0) == (nearest > 0) ? encoding + 1 : encoding - 1);
}

/* What the sum in this format leaves. */
static long double __raddle_math_sum_rest(long double x, long double y, long double sum)
{
  long double second = sum - x;
  return (x - (sum - second)) + (y - second);
}

static long double __raddle_math_odd_sum(long double x, long double y)
{
  long double sum = x + y;
  return __raddle_math_to_odd(sum, __raddle_math_sum_rest(x, y, sum));
}

static long double __raddle_math_odd_product(long double x, long double y)
{
  long double product = x * y;
  return __raddle_math_to_odd(product, __builtin_fmal(x, y, -product));
}

static long double __raddle_math_odd_quotient(long double x, long double y)
{
  /* Away from where the rest would be too small for the format. */
  if (__builtin_fabsl(x) < 0x1p-16000L) {
    x *= 0x1p300L;
    y *= 0x1p300L;
  }
  long double quotient = x / y, rest = __builtin_fmal(-quotient, y, x);
  return __raddle_math_to_odd(quotient, y > 0 ? rest : -rest);
}

static long double __raddle_math_odd_root(long double x)
{
  long double root = __builtin_sqrtl(x);
  return __raddle_math_to_odd(root, __builtin_fmal(-root, root, x));
}

/* The product in two parts, and what is left of adding them one after the other. A product too small to have two parts matters only by its sign. */
static long double __raddle_math_odd_fma(long double x, long double y, long double z)
{
  long double high = x * y, low = 0;
  if (high - high != 0 || z - z != 0 || x == 0 || y == 0)
    return __builtin_fmal(x, y, z);
  if (__builtin_fabsl(high) > 0x1p-16200L)
    low = __builtin_fmal(x, y, -high);
  else if (__builtin_fabsl(z) > 0x1p-15000L)
    high = __builtin_copysignl(0x1p-16200L, high);
  else
    return __builtin_fmal(x, y, z);
  long double small = z + low, sum = high + small;
  if (sum - sum != 0)
    return sum;
  long double rest = __raddle_math_odd_sum(__raddle_math_sum_rest(z, low, small), __raddle_math_sum_rest(high, small, sum));
  return __raddle_math_odd_sum(sum, rest);
}

static void __raddle_math_narrowed(long double result, _Bool is_finite, _Bool has_nan, _Bool is_zero)
{
  if (result != result ? !has_nan : 0)
    __raddle_errno = 33;
  if (__builtin_isinf(result) ? is_finite : result == 0 && !is_zero)
    __raddle_errno = 34;
}

static void __raddle_math_narrowed_sum(long double result, long double x, long double y)
{
  __raddle_math_narrowed(result, x - x == 0 && y - y == 0, x != x || y != y, x == -y);
}

static void __raddle_math_narrowed_product(long double result, long double x, long double y)
{
  __raddle_math_narrowed(result, x - x == 0 && y - y == 0, x != x || y != y, x == 0 || y == 0);
}

static void __raddle_math_narrowed_quotient(long double result, long double x, long double y)
{
  __raddle_math_narrowed(result, x - x == 0 && y - y == 0, x != x || y != y, x == 0 || __builtin_isinf(y));
}

static void __raddle_math_narrowed_root(long double result, long double x)
{
  __raddle_math_narrowed(result, x - x == 0, x != x, x == 0);
}

float faddl(long double x, long double y)
{
  float result = __raddle_math_odd_sum(x, y);
  __raddle_math_narrowed_sum(result, x, y);
  return result;
}

double daddl(long double x, long double y)
{
  double result = __raddle_math_odd_sum(x, y);
  __raddle_math_narrowed_sum(result, x, y);
  return result;
}

float fmull(long double x, long double y)
{
  float result = __raddle_math_odd_product(x, y);
  __raddle_math_narrowed_product(result, x, y);
  return result;
}

double dmull(long double x, long double y)
{
  double result = __raddle_math_odd_product(x, y);
  __raddle_math_narrowed_product(result, x, y);
  return result;
}

float fdivl(long double x, long double y)
{
  float result = __raddle_math_odd_quotient(x, y);
  __raddle_math_narrowed_quotient(result, x, y);
  return result;
}

double ddivl(long double x, long double y)
{
  double result = __raddle_math_odd_quotient(x, y);
  __raddle_math_narrowed_quotient(result, x, y);
  return result;
}

float fsqrtl(long double x)
{
  float result = __raddle_math_odd_root(x);
  __raddle_math_narrowed_root(result, x);
  return result;
}

double dsqrtl(long double x)
{
  double result = __raddle_math_odd_root(x);
  __raddle_math_narrowed_root(result, x);
  return result;
}

float fsubl(long double x, long double y) { return faddl(x, -y); }
double dsubl(long double x, long double y) { return daddl(x, -y); }
float ffmal(long double x, long double y, long double z) { return __raddle_math_odd_fma(x, y, z); }
double dfmal(long double x, long double y, long double z) { return __raddle_math_odd_fma(x, y, z); }

float fadd(double x, double y) { return faddl(x, y); }
float fsub(double x, double y) { return fsubl(x, y); }
float fmul(double x, double y) { return fmull(x, y); }
float fdiv(double x, double y) { return fdivl(x, y); }
float fsqrt(double x) { return fsqrtl(x); }
float ffma(double x, double y, double z) { return __raddle_math_odd_fma(x, y, z); }

extern float lgammaf_r(float, int *);
extern double lgamma_r(double, int *);
extern long double lgammal_r(long double, int *);
float lgammaf32_r(float x, int *sign) { return lgammaf_r(x, sign); }
double lgammaf64_r(double x, int *sign) { return lgamma_r(x, sign); }
double lgammaf32x_r(double x, int *sign) { return lgamma_r(x, sign); }
long double lgammaf64x_r(long double x, int *sign) { return lgammal_r(x, sign); }
