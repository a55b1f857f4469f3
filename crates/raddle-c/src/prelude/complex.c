/* Complex numbers: operators and <complex.h>. A template like `math_exact.c`.

   A product whose parts both come out as NaN is computed once more if an operand is infinite: an infinite operand is taken as a direction, so that the result is infinite (C11 annex G.5.1). The same
   for quotients. These are divided by Smith's method with the scalings of Baudin and Smith, in the order of operations that gcc's runtime (version 12 and later) has: it decides how results are rounded.

   Functions that <math.h>'s do not determine are any number. */

static $real __raddle_direction@($real x) { return __builtin_copysign@(__builtin_isinf(x) ? 1 : 0, x); }

static $real __raddle_no_nan@($real x) { return x != x ? __builtin_copysign@(0, x) : x; }

$real _Complex __raddle_complex_multiply@($real a, $real b, $real c, $real d) {
  $real x = a * c - b * d, y = a * d + b * c;
  if (x == x || y == y) return __builtin_complex(x, y);
  _Bool again = 0;
  _Bool overflow = __builtin_isinf(a * c) || __builtin_isinf(b * d) || __builtin_isinf(a * d) || __builtin_isinf(b * c);
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = __raddle_direction@(a);
    b = __raddle_direction@(b);
    c = __raddle_no_nan@(c);
    d = __raddle_no_nan@(d);
    again = 1;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = __raddle_direction@(c);
    d = __raddle_direction@(d);
    a = __raddle_no_nan@(a);
    b = __raddle_no_nan@(b);
    again = 1;
  }
  if (!again && overflow) {
    a = __raddle_no_nan@(a);
    b = __raddle_no_nan@(b);
    c = __raddle_no_nan@(c);
    d = __raddle_no_nan@(d);
    again = 1;
  }
  if (again) {
    x = __builtin_inf@() * (a * c - b * d);
    y = __builtin_inf@() * (a * d + b * c);
  }
  return __builtin_complex(x, y);
}

/* Both parts are NaN: infinities and zeros are told apart. */
static $real _Complex __raddle_special_quotient@($real a, $real b, $real c, $real d, $real x, $real y) {
  if (c == 0 && d == 0 && (a == a || b == b)) {
    $real infinity = __builtin_copysign@(__builtin_inf@(), c);
    return __builtin_complex(infinity * a, infinity * b);
  }
  if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
    a = __raddle_direction@(a);
    b = __raddle_direction@(b);
    return __builtin_complex(__builtin_inf@() * (a * c + b * d), __builtin_inf@() * (b * c - a * d));
  }
  if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
    c = __raddle_direction@(c);
    d = __raddle_direction@(d);
    return __builtin_complex(0 * (a * c + b * d), 0 * (b * c - a * d));
  }
  return __builtin_complex(x, y);
}

$real _Complex __raddle_complex_divide@($real a, $real b, $real c, $real d) {
  $real x, y;
  if (sizeof($real) == sizeof(float)) {
    double scale = (double)c * c + (double)d * d;
    x = ((double)a * c + (double)b * d) / scale;
    y = ((double)b * c - (double)a * d) / scale;
  } else {
    const $real big = $most / 2, up = 1 / $epsilon;
    _Bool exchanged = __builtin_fabs@(c) < __builtin_fabs@(d);
    $real largest = __builtin_fabs@(exchanged ? d : c);
    $real factor = 1;
    if (largest >= big) {
      a = a / 2, b = b / 2, c = c / 2, d = d / 2;
      largest = __builtin_fabs@(exchanged ? d : c);
    }
    if (largest < $epsilon) factor = up;
    else if (largest < big * $epsilon) {
      if (__builtin_fabs@(a) < $least && __builtin_fabs@(b) < big * $epsilon) factor = up;
      if (__builtin_fabs@(b) < $least && __builtin_fabs@(a) < big * $epsilon) factor = up;
    }
    a = a * factor, b = b * factor, c = c * factor, d = d * factor;
    if (exchanged) {
      $real ratio = c / d, divisor = c * ratio + d;
      _Bool plain = __builtin_fabs@(ratio) > $least;
      x = ((plain ? a * ratio : c * (a / d)) + b) / divisor;
      y = ((plain ? b * ratio : c * (b / d)) - a) / divisor;
    } else {
      $real ratio = d / c, divisor = d * ratio + c;
      _Bool plain = __builtin_fabs@(ratio) > $least;
      x = ((plain ? b * ratio : d * (b / c)) + a) / divisor;
      y = (b - (plain ? a * ratio : d * (a / c))) / divisor;
    }
  }
  if (x != x && y != y) return __raddle_special_quotient@(a, b, c, d, x, y);
  return __builtin_complex(x, y);
}

/* An operand or the result is negated: compilers may negate something else instead, which gives the other sign to zeros that come from a difference. */
static $real __raddle_open_zero@($real x) { return x == 0 && __VERIFIER_nondet_bool() ? -x : x; }

$real _Complex __raddle_complex_multiply_and_negate@($real a, $real b, $real c, $real d) {
  $real _Complex product = __raddle_complex_multiply@(a, b, c, d);
  return __builtin_complex(__raddle_open_zero@(__real__ product), __raddle_open_zero@(__imag__ product));
}

$real _Complex __raddle_complex_divide_and_negate@($real a, $real b, $real c, $real d) {
  $real _Complex quotient = __raddle_complex_divide@(a, b, c, d);
  return __builtin_complex(__raddle_open_zero@(__real__ quotient), __raddle_open_zero@(__imag__ quotient));
}
