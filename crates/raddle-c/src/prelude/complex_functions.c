/* <complex.h>. A template like `math_exact.c`. What takes a number apart is exact, the absolute value and the argument are `hypot` and `atan2`; everything else is any number, but for zeros where
   C11's annex G says what comes out. */

extern _Bool __raddle_result_errno(void);
extern $real __raddle_result_cexp@(void), __raddle_result_csqrt@(void), __raddle_result_cpow@(void);
extern $real __raddle_result_clog@(void), __raddle_result_clog10@(void), __raddle_result_csin@(void);
extern $real __raddle_result_ccos@(void), __raddle_result_ctan@(void), __raddle_result_casin@(void);
extern $real __raddle_result_cacos@(void), __raddle_result_catan@(void), __raddle_result_csinh@(void);
extern $real __raddle_result_ccosh@(void), __raddle_result_ctanh@(void), __raddle_result_casinh@(void);
extern $real __raddle_result_cacosh@(void), __raddle_result_catanh@(void);
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

static $real _Complex __raddle_complex_any@($real re, $real im)
{
  if (__raddle_result_errno())
    __raddle_errno = __raddle_result_errno() ? 33 : 34;
  return __builtin_complex(re, im);
}

$real _Complex cexp@($real _Complex z)
{
  if (z == 0)
    return __builtin_complex(($real)1, __imag__ z);
  return __raddle_complex_any@(__raddle_result_cexp@(), __raddle_result_cexp@());
}

$real _Complex csqrt@($real _Complex z)
{
  if (z == 0)
    return __builtin_complex(($real)0, __imag__ z);
  return __raddle_complex_any@(__raddle_result_csqrt@(), __raddle_result_csqrt@());
}

$real _Complex cpow@($real _Complex x, $real _Complex y) { return __raddle_complex_any@(__raddle_result_cpow@(), __raddle_result_cpow@()); }

$real _Complex clog@($real _Complex z) { return __raddle_complex_any@(__raddle_result_clog@(), __raddle_result_clog@()); }

$real _Complex clog10@($real _Complex z) { return __raddle_complex_any@(__raddle_result_clog10@(), __raddle_result_clog10@()); }

$real _Complex csin@($real _Complex z) { return __raddle_complex_any@(__raddle_result_csin@(), __raddle_result_csin@()); }

$real _Complex ccos@($real _Complex z) { return __raddle_complex_any@(__raddle_result_ccos@(), __raddle_result_ccos@()); }

$real _Complex ctan@($real _Complex z) { return __raddle_complex_any@(__raddle_result_ctan@(), __raddle_result_ctan@()); }

$real _Complex casin@($real _Complex z) { return __raddle_complex_any@(__raddle_result_casin@(), __raddle_result_casin@()); }

$real _Complex cacos@($real _Complex z) { return __raddle_complex_any@(__raddle_result_cacos@(), __raddle_result_cacos@()); }

$real _Complex catan@($real _Complex z) { return __raddle_complex_any@(__raddle_result_catan@(), __raddle_result_catan@()); }

$real _Complex csinh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_csinh@(), __raddle_result_csinh@()); }

$real _Complex ccosh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_ccosh@(), __raddle_result_ccosh@()); }

$real _Complex ctanh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_ctanh@(), __raddle_result_ctanh@()); }

$real _Complex casinh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_casinh@(), __raddle_result_casinh@()); }

$real _Complex cacosh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_cacosh@(), __raddle_result_cacosh@()); }

$real _Complex catanh@($real _Complex z) { return __raddle_complex_any@(__raddle_result_catanh@(), __raddle_result_catanh@()); }
