/* <complex.h>. A template like `math_exact.c`. What takes a number apart is exact, the absolute value and the argument are `hypot` and `atan2`; everything else is any number, but for zeros where
   C11's annex G says what comes out. */

extern $real __VERIFIER_nondet_real@(void);
extern $real hypot@($real, $real);
extern $real atan2@($real, $real);

$real creal@($real _Complex z) { return __real__ z; }

$real cimag@($real _Complex z) { return __imag__ z; }

$real _Complex conj@($real _Complex z) { return ~z; }

$real _Complex cproj@($real _Complex z)
{
  if (__builtin_isinf(__real__ z) || __builtin_isinf(__imag__ z))
    return __builtin_complex(__builtin_inf@(), __builtin_copysign@(0, __imag__ z));
  return z;
}

$real cabs@($real _Complex z) { return hypot@(__real__ z, __imag__ z); }

$real carg@($real _Complex z) { return atan2@(__imag__ z, __real__ z); }

static $real _Complex __raddle_complex_any@(void)
{
  $real re = __VERIFIER_nondet_real@(), im = __VERIFIER_nondet_real@();
  if (__VERIFIER_nondet_bool())
    __raddle_errno = __VERIFIER_nondet_bool() ? 33 : 34;
  return __builtin_complex(re, im);
}

$real _Complex cexp@($real _Complex z)
{
  if (z == 0)
    return __builtin_complex(($real)1, __imag__ z);
  return __raddle_complex_any@();
}

$real _Complex csqrt@($real _Complex z)
{
  if (z == 0)
    return __builtin_complex(($real)0, __imag__ z);
  return __raddle_complex_any@();
}

$real _Complex cpow@($real _Complex x, $real _Complex y) { return __raddle_complex_any@(); }

$real _Complex clog@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex clog10@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex csin@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex ccos@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex ctan@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex casin@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex cacos@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex catan@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex csinh@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex ccosh@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex ctanh@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex casinh@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex cacosh@($real _Complex z) { return __raddle_complex_any@(); }

$real _Complex catanh@($real _Complex z) { return __raddle_complex_any@(); }
