/* `sscanf` and its like: text in memory is taken apart as a format says, in the way of glibc where C leaves it open.

   A directive that does not match ends the scan; so does the end of the text, which is told apart: if nothing was converted before, the result is EOF. */

enum { __raddle_mismatch = 1, __raddle_no_input = 2 };

struct __raddle_scan { const char *s; size_t at; int failure; };

/* What is between `%` and the conversion. `width`: -1 if there is none. `length` is as in formats of output. */
struct __raddle_scan_directive { int width, length; _Bool suppressed, allocates; };

static void __raddle_skip_space(struct __raddle_scan *in)
{
  while (isspace((__raddle_byte)in->s[in->at]))
    in->at++;
}

static void __raddle_store_integer(void *to, int length, unsigned long long value)
{
  switch (length) {
  case 'H': *(signed char *)to = value; break;
  case 'h': *(short *)to = value; break;
  case 'l': *(long *)to = value; break;
  case 'L': *(long long *)to = value; break;
  case 'z': *(size_t *)to = value; break;
  default: *(int *)to = value;
  }
}

static int __raddle_digit_of(int c, int base)
{
  int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
  return digit < base ? digit : -1;
}

/* Passes a prefix `0x` or `0b` if the base admits it, and returns the base. The zero of a prefix is a digit if no other follows. */
static int __raddle_base(struct __raddle_scan *in, int base, int *width, int *digits, int binary)
{
  if (*width == 0 || in->s[in->at] != '0')
    return base ? base : 10;
  in->at++;
  ++*digits;
  *width -= *width > 0;
  int letter = in->s[in->at] | 32;
  if (*width != 0 && letter == 'x' && (base == 0 || base == 16)) {
    in->at++;
    *width -= *width > 0;
    return 16;
  }
  if (binary && *width != 0 && letter == 'b' && (base == 0 || base == 2)) {
    in->at++;
    *width -= *width > 0;
    return 2;
  }
  return base ? base : 8;
}

/* An integer that is at most `most`, or `most` + 1 if it is negative and signed. */
static unsigned long long __raddle_scan_integer(struct __raddle_scan *in, int base, int width, int is_signed, unsigned long long most,
                                                int binary)
{
  unsigned long long value = 0;
  int negative = 0, digits = 0, overflows = 0, digit;
  if (in->s[in->at] == '-' || in->s[in->at] == '+') {
    negative = in->s[in->at++] == '-';
    width -= width > 0;
  }
  base = __raddle_base(in, base, &width, &digits, binary);
  unsigned long long limit = is_signed && negative ? most + 1 : most;
  for (; width != 0 && (digit = __raddle_digit_of(in->s[in->at], base)) >= 0; in->at++) {
    if (value > (limit - digit) / base)
      overflows = 1;
    value = value * base + digit;
    digits++;
    width -= width > 0;
  }
  if (digits == 0)
    in->failure = __raddle_mismatch;
  if (!overflows)
    return negative ? -value : value;
  __raddle_errno = __VERIFIER_nondet_bool() ? 34 : __raddle_errno;
  return is_signed && negative ? -limit : limit;
}

/* The texts that are numbers for `%f`: what glibc takes as one may be more than what counts. Returns where it ends. */
static size_t __raddle_word(struct __raddle_scan *in, size_t at, size_t end, const char *word)
{
  for (; *word; word++, at++)
    if (at == end || (in->s[at] | 32) != *word) {
      in->failure = __raddle_mismatch;
      return at;
    }
  return at;
}

/* A width that ends behind `0x` leaves it at the zero. */
static size_t __raddle_end_of_real(struct __raddle_scan *in, size_t at, size_t end, int is_limited)
{
  int has_digit = 0, has_point = 0, has_exponent = 0, is_hex = 0;
  const char *s = in->s;
  if (s[at] == '0' && at + 1 < end && (s[at + 1] | 32) == 'x' && (at + 2 < end || !is_limited)) {
    is_hex = 1;
    at += 2;
  }
  size_t first = at;
  for (; at < end; at++) {
    int c = s[at], letter = c | 32, before = at > first ? s[at - 1] | 32 : 0;
    if ((c >= '0' && c <= '9') || (is_hex && !has_exponent && letter >= 'a' && letter <= 'f'))
      has_digit = 1;
    else if (has_exponent && before == (is_hex ? 'p' : 'e') && (c == '-' || c == '+'))
      continue;
    else if (has_digit && !has_exponent && letter == (is_hex ? 'p' : 'e'))
      has_exponent = has_point = 1;
    else if (c == '.' && !has_point)
      has_point = 1;
    else
      break;
  }
  if (at == first || !(has_digit || is_hex))
    in->failure = __raddle_mismatch;
  return at;
}

static void __raddle_scan_real(struct __raddle_scan *in, int width, int length, void *to)
{
  size_t start = in->at, at = start, end = start;
  while (in->s[end] && (width < 0 || end - start < (size_t)width))
    end++;
  if (in->s[at] == '-' || in->s[at] == '+')
    at++;
  if (at == end)
    in->failure = __raddle_mismatch;
  else if ((in->s[at] | 32) == 'n')
    at = __raddle_word(in, at, end, "nan");
  else if ((in->s[at] | 32) == 'i') {
    at = __raddle_word(in, at, end, "inf");
    if (!in->failure && at < end && (in->s[at] | 32) == 'i')
      at = __raddle_word(in, at, end, "inity");
  } else
    at = __raddle_end_of_real(in, at, end, width >= 0 && end - start == (size_t)width);
  in->at = at;
  if (in->failure || !to)
    return;
  int error = __raddle_errno;
  char item[at - start + 1];
  for (size_t i = start; i < at; i++)
    item[i - start] = in->s[i];
  item[at - start] = 0;
  if (length == 'L')
    *(long double *)to = strtold(item, 0);
  else if (length == 'l')
    *(double *)to = strtod(item, 0);
  else
    *(float *)to = strtof(item, 0);
  /* glibc restores it where the text ends soon. */
  if (__raddle_errno != error && __VERIFIER_nondet_bool())
    __raddle_errno = error;
}

/* Is a character in the set of `%[`, which begins at `set`? */
static int __raddle_in_set(const char *set, int c)
{
  int negated = *set == '^', found = 0;
  const char *first = set += negated;
  for (; *set && (*set != ']' || set == first); set++) {
    if (*set == '-' && set != first && set[1] && set[1] != ']' && (__raddle_byte)set[-1] <= (__raddle_byte)set[1])
      found |= c >= (__raddle_byte)set[-1] && c <= (__raddle_byte)set[1];
    else
      found |= (__raddle_byte)*set == c;
  }
  return found != negated;
}

static const char *__raddle_end_of_set(const char *set)
{
  set += *set == '^';
  if (*set)
    set++;
  while (*set && *set != ']')
    set++;
  return set;
}

/* `%s`, `%c` and `%[`: how much of the text belongs to it. */
static size_t __raddle_scan_length(const struct __raddle_scan *in, int conversion, int width, const char *set)
{
  size_t n = 0;
  if (conversion == 'c' && width < 0)
    width = 1;
  for (const char *s = in->s + in->at; s[n] && (width < 0 || n < (size_t)width); n++)
    if (conversion == 's' ? isspace((__raddle_byte)s[n]) : conversion == '[' && !__raddle_in_set(set, (__raddle_byte)s[n]))
      break;
  return n;
}

static void __raddle_scan_text(struct __raddle_scan *in, int conversion, const struct __raddle_scan_directive *d, const char *set, void *to)
{
  size_t n = __raddle_scan_length(in, conversion, d->width, set);
  if (n == 0)
    in->failure = __raddle_mismatch;
  const char *from = in->s + in->at;
  in->at += n;
  if (n == 0 || !to)
    return;
  char *text = to;
  if (d->allocates)
    text = *(char **)to = malloc(n + (conversion != 'c'));
  for (size_t i = 0; i < n; i++)
    text[i] = from[i];
  if (conversion != 'c')
    text[n] = 0;
}

static void __raddle_scan_number(struct __raddle_scan *in, int conversion, const struct __raddle_scan_directive *d, int binary, void *to)
{
  int is_signed = conversion == 'd' || conversion == 'i';
  int base = conversion == 'd' || conversion == 'u' ? 10 : conversion == 'i' ? 0 : conversion == 'o' ? 8 : conversion == 'b' ? 2 : 16;
  int length = conversion == 'p' ? 'z' : d->length;
  unsigned long long most = length == 'L' ? -1ull : (unsigned long)-1;
  if (is_signed)
    most >>= 1;
  const char *s = in->s + in->at;
  if (conversion == 'p' && s[0] == '(' && (d->width < 0 || d->width >= 5)) {
    in->at = __raddle_word(in, in->at, in->at + 5, "(nil)");
    if (!in->failure && to)
      *(void **)to = 0;
    return;
  }
  unsigned long long value = __raddle_scan_integer(in, base, d->width, is_signed, most, binary);
  if (!in->failure && to)
    __raddle_store_integer(to, length, value);
}

/* Reads a directive behind `%`; a flag is a gap, and so are numbered arguments. */
static const char *__raddle_scan_directive(const char *f, struct __raddle_scan_directive *d)
{
  d->suppressed = *f == '*';
  f += d->suppressed;
  d->width = -1;
  for (; *f >= '0' && *f <= '9'; f++) {
    if (d->width > 100000000)
      __raddle_gap("a field of more than 1000000000 characters");
    d->width = (d->width < 0 ? 0 : d->width * 10) + (*f - '0');
  }
  if (d->width == 0)
    d->width = -1;
  if (*f == '$' || *f == '\'' || *f == 'I' || *f == '*')
    __raddle_gap("an unusual directive in a format of input");
  d->allocates = *f == 'm';
  f += d->allocates;
  d->length = 0;
  if (*f == 'h' || *f == 'l') {
    d->length = f[1] != *f ? *f : *f == 'h' ? 'H' : 'L';
    return f + (f[1] == *f ? 2 : 1);
  }
  if (*f == 'j' || *f == 'q' || *f == 'L')
    d->length = 'L';
  else if (*f == 'z' || *f == 't')
    d->length = 'z';
  return d->length ? f + 1 : f;
}

/* Refuses what is not modelled. */
static void __raddle_check_directive(int c, const struct __raddle_scan_directive *d)
{
  int is_text = c == 's' || c == 'c' || c == '[';
  if (!c || !strchr("diouxXpfFeEgGaAscn[%", c) || (is_text && d->length == 'l') || (d->allocates && !is_text))
    __raddle_gap("an unusual directive in a format of input");
}

/* One conversion; `to`: where the value goes, or null. */
static void __raddle_scan_one(struct __raddle_scan *in, int c, const struct __raddle_scan_directive *d, const char *f, int binary, void *to)
{
  if (c != 'c' && c != '[')
    __raddle_skip_space(in);
  if (!in->s[in->at]) {
    in->failure = __raddle_no_input;
    return;
  }
  if (c == '%') {
    in->failure = in->s[in->at] == '%' ? 0 : __raddle_mismatch;
    in->at += !in->failure;
  } else if (c == 's' || c == 'c' || c == '[')
    __raddle_scan_text(in, c, d, f + 1, to);
  else if (strchr("fFeEgGaA", c))
    __raddle_scan_real(in, d->width, d->length, to);
  else
    __raddle_scan_number(in, c, d, binary, to);
}

int __raddle_scanned(const char *s, const char *f, __builtin_va_list given, int binary)
{
  struct __raddle_scan in = {s, 0, 0};
  int done = 0;
  __builtin_va_list list;
  __builtin_va_copy(list, given);
  for (; *f && !in.failure; f++) {
    if (isspace((__raddle_byte)*f)) {
      __raddle_skip_space(&in);
      continue;
    }
    if (*f != '%') {
      in.failure = in.s[in.at] == *f ? 0 : in.s[in.at] ? __raddle_mismatch : __raddle_no_input;
      in.at += !in.failure;
      continue;
    }
    struct __raddle_scan_directive d;
    f = __raddle_scan_directive(f + 1, &d);
    __raddle_check_directive(*f, &d);
    void *to = d.suppressed || *f == '%' ? 0 : __builtin_va_arg(list, void *);
    if (*f == 'n') {
      if (to)
        __raddle_store_integer(to, d.length, in.at);
      continue;
    }
    __raddle_scan_one(&in, *f, &d, f, binary, to);
    done += !in.failure && to;
    if (*f == '[')
      f = __raddle_end_of_set(f + 1);
  }
  __builtin_va_end(list);
  return in.failure == __raddle_no_input && done == 0 ? -1 : done;
}

int vsscanf(const char *s, const char *format, __builtin_va_list list) { return __raddle_scanned(s, format, list, 0); }
int __isoc99_vsscanf(const char *s, const char *format, __builtin_va_list list) { return __raddle_scanned(s, format, list, 0); }
int __isoc23_vsscanf(const char *s, const char *format, __builtin_va_list list) { return __raddle_scanned(s, format, list, 1); }

int sscanf(const char *s, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned(s, format, list, 0);
  __builtin_va_end(list);
  return done;
}

int __isoc99_sscanf(const char *s, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned(s, format, list, 0);
  __builtin_va_end(list);
  return done;
}

int __isoc23_sscanf(const char *s, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned(s, format, list, 1);
  __builtin_va_end(list);
  return done;
}
