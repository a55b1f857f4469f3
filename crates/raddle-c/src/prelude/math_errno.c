/* What the Program has operators for, and sets errno: read only for programs that look at errno. A template like `math_exact.c`. */

extern $real __raddle_operator_sqrt@($real);
extern $real __raddle_operator_fmod@($real, $real);
extern $real __raddle_operator_fdim@($real, $real);

$real sqrt@($real x)
{
  if (x < 0)
    __raddle_errno = 33;
  return __raddle_operator_sqrt@(x);
}

$real fmod@($real x, $real y)
{
  if (x == x && y == y && (__builtin_isinf(x) || y == 0))
    __raddle_errno = 33;
  return __raddle_operator_fmod@(x, y);
}

$real fdim@($real x, $real y)
{
  $real difference = __raddle_operator_fdim@(x, y);
  if (__builtin_isinf(difference) && !__builtin_isinf(x) && !__builtin_isinf(y))
    __raddle_errno = 34;
  return difference;
}

