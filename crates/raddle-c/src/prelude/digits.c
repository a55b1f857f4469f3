/* ecvt, fcvt and their like. glibc scales the number by inexact powers of ten, so its digits are not always the nearest ones: here they are any, and so is the place of
   the point. What is no finite number has its name, and the sign is exact. */

static void __raddle_any_digits(char *to, int most)
{
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= most);
  for (int i = 0; i < n; i++) {
    int c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(c >= '0' && c <= '9');
    to[i] = c;
  }
  to[n] = 0;
}

/* `room`: how many characters there is place for. */
static int __raddle_digits_of(long double value, int *point, int *sign, char *to, size_t room)
{
  if (__builtin_isnan(value) || __builtin_isinf(value)) {
    const char *name = __builtin_isnan(value) ? __VERIFIER_nondet_bool() ? "-nan" : "nan" : value < 0 ? "-inf" : "inf";
    *sign = 0;
    *point = __VERIFIER_nondet_int();
    if (room < 5)
      return -1;
    for (int i = 0; i < 5 && (i == 0 || name[i - 1]); i++)
      to[i] = name[i];
    return 0;
  }
  *sign = __builtin_signbit(value) != 0;
  *point = __VERIFIER_nondet_int();
  __VERIFIER_assume(*point >= -5000 && *point <= 5000);
  if (room == 0)
    return -1;
  __raddle_any_digits(to, room > 5000 ? 4999 : room - 1);
  return __VERIFIER_nondet_bool() ? -1 : 0;
}

static char __raddle_kept_digits[5000];

static char *__raddle_digits_text(long double value, int *point, int *sign)
{
  __raddle_digits_of(value, point, sign, __raddle_kept_digits, sizeof __raddle_kept_digits);
  return __raddle_kept_digits;
}

static int __raddle_digits_into(long double value, int *point, int *sign, char *to, size_t room)
{
  if (!to) {
    __raddle_errno = 22;
    return -1;
  }
  return __raddle_digits_of(value, point, sign, to, room);
}

char *ecvt(double value, int n, int *point, int *sign) { return __raddle_digits_text(value, point, sign); }
char *fcvt(double value, int n, int *point, int *sign) { return __raddle_digits_text(value, point, sign); }
char *qecvt(long double value, int n, int *point, int *sign) { return __raddle_digits_text(value, point, sign); }
char *qfcvt(long double value, int n, int *point, int *sign) { return __raddle_digits_text(value, point, sign); }
int ecvt_r(double value, int n, int *point, int *sign, char *to, size_t room) { return __raddle_digits_into(value, point, sign, to, room); }
int fcvt_r(double value, int n, int *point, int *sign, char *to, size_t room) { return __raddle_digits_into(value, point, sign, to, room); }
int qecvt_r(long double value, int n, int *point, int *sign, char *to, size_t room) { return __raddle_digits_into(value, point, sign, to, room); }
int qfcvt_r(long double value, int n, int *point, int *sign, char *to, size_t room) { return __raddle_digits_into(value, point, sign, to, room); }
