/* <math.h>, as far as it is not an operator of the Program. */

double modf(double x, double *whole)
{
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x);
}
