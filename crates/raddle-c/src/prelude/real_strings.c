/* <stdlib.h>: single floating-point numbers as text, `strfromd` and `gcvt`. Those with a pointer to the decimal point (`ecvt`, `fcvt`) have no model. */

/* `%`, a precision or none, and a conversion. */
static int __raddle_strfrom_format(const char *f, int *precision)
{
  *precision = -1;
  if (*f == '%' && *++f == '.')
    for (*precision = 0, f++; *f >= '0' && *f <= '9'; f++) {
      if (*precision > 100000)
        __raddle_gap("a precision of more than 1000000");
      *precision = *precision * 10 + (*f - '0');
    }
  if (!*f || !strchr("aAeEfFgG", *f) || f[1])
    __raddle_gap("a format that is none of `strfromd`");
  return *f;
}

int strfromd(char *to, size_t n, const char *format, double x)
{
  int precision, conversion = __raddle_strfrom_format(format, &precision);
  return __raddle_put_end(to, n, __raddle_put_double(to, n, 0, x, conversion, 0, 0, precision));
}

int strfroml(char *to, size_t n, const char *format, long double x)
{
  int precision, conversion = __raddle_strfrom_format(format, &precision);
  return __raddle_put_end(to, n, __raddle_put_long_double(to, n, 0, x, conversion, 0, 0, precision));
}

int strfromf(char *to, size_t n, const char *format, float x) { return strfromd(to, n, format, x); }
int strfromf32(char *to, size_t n, const char *format, float x) { return strfromd(to, n, format, x); }
int strfromf64(char *to, size_t n, const char *format, double x) { return strfromd(to, n, format, x); }
int strfromf32x(char *to, size_t n, const char *format, double x) { return strfromd(to, n, format, x); }
int strfromf64x(char *to, size_t n, const char *format, long double x) { return strfroml(to, n, format, x); }

char *gcvt(double x, int digits, char *to)
{
  __raddle_put_end(to, -1, __raddle_put_double(to, -1, 0, x, 'g', 0, 0, digits < 17 ? digits : 17));
  return to;
}

char *qgcvt(long double x, int digits, char *to)
{
  __raddle_put_end(to, -1, __raddle_put_long_double(to, -1, 0, x, 'g', 0, 0, digits < 21 ? digits : 21));
  return to;
}
