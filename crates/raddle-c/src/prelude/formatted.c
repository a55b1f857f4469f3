/* `sprintf` and its like: a format that is walked along. Calls whose format is a literal are lowered to calls of what prints one conversion
   (`conversions.c`, `lower/formatted.rs`) instead. */

/* `length`: 0, or a letter: H for hh, L for what is longest, or the letter itself. */
struct __raddle_directive { int flags, width, precision, length; };

static int __raddle_flag(int c)
{
  return c == '-' ? __raddle_left : c == '+' ? __raddle_plus : c == ' ' ? __raddle_space : c == '#' ? __raddle_alternate
         : c == '0' ? __raddle_zero : c == '\'' || c == 'I' ? 64 : 0;
}

static const char *__raddle_field(const char *f, __builtin_va_list *list, int *field)
{
  *field = 0;
  if (*f == '*') {
    *field = __builtin_va_arg(*list, int);
    return f + 1;
  }
  for (; *f >= '0' && *f <= '9'; f++) {
    if (*field > 100000000)
      __raddle_gap("a field of more than 1000000000 characters");
    *field = *field * 10 + (*f - '0');
  }
  return f;
}

static const char *__raddle_length(const char *f, int *length)
{
  *length = 0;
  if (*f == 'h' || *f == 'l') {
    *length = f[1] != *f ? *f : *f == 'h' ? 'H' : 'L';
    return f + (f[1] == *f ? 2 : 1);
  }
  if (*f == 'j' || *f == 'q' || *f == 'L')
    *length = 'L';
  else if (*f == 'z' || *f == 't' || *f == 'Z')
    *length = 'z';
  return *length ? f + 1 : f;
}

/* Reads what is between `%` and the conversion. */
static const char *__raddle_directive(const char *f, __builtin_va_list *list, struct __raddle_directive *d)
{
  d->flags = d->width = 0;
  d->precision = -1;
  for (; __raddle_flag(*f); f++)
    d->flags |= __raddle_flag(*f);
  f = __raddle_field(f, list, &d->width);
  if (*f == '$')
    __raddle_gap("a format with numbered arguments");
  if (d->width < 0) {
    d->flags |= __raddle_left;
    if (d->width == -2147483647 - 1)
      __raddle_gap("a field of more than 1000000000 characters");
    d->width = -d->width;
  }
  if (*f == '.')
    f = __raddle_field(f + 1, list, &d->precision);
  return __raddle_length(f, &d->length);
}

static long long __raddle_signed_argument(__builtin_va_list *list, int length)
{
  switch (length) {
  case 'H': return (signed char)__builtin_va_arg(*list, int);
  case 'h': return (short)__builtin_va_arg(*list, int);
  case 'l': return __builtin_va_arg(*list, long);
  case 'L': return __builtin_va_arg(*list, long long);
  case 'z': return sizeof(size_t) == 8 ? __builtin_va_arg(*list, long long) : __builtin_va_arg(*list, int);
  default: return __builtin_va_arg(*list, int);
  }
}

static unsigned long long __raddle_unsigned_argument(__builtin_va_list *list, int length)
{
  switch (length) {
  case 'H': return (unsigned char)__builtin_va_arg(*list, int);
  case 'h': return (unsigned short)__builtin_va_arg(*list, int);
  case 'l': return __builtin_va_arg(*list, unsigned long);
  case 'L': return __builtin_va_arg(*list, unsigned long long);
  case 'z': return __builtin_va_arg(*list, size_t);
  default: return __builtin_va_arg(*list, unsigned);
  }
}

void __raddle_store_count(void *to, int length, size_t count)
{
  switch (length) {
  case 'H': *(signed char *)to = count; break;
  case 'h': *(short *)to = count; break;
  case 'l': *(long *)to = count; break;
  case 'L': *(long long *)to = count; break;
  case 'z': *(size_t *)to = count; break;
  default: *(int *)to = count;
  }
}

static size_t __raddle_put_real_argument(char *to, size_t n, size_t at, __builtin_va_list *list, int conversion,
                                         const struct __raddle_directive *d)
{
  if (d->length == 'L')
    return __raddle_put_long_double(to, n, at, __builtin_va_arg(*list, long double), conversion, d->flags, d->width, d->precision);
  return __raddle_put_double(to, n, at, __builtin_va_arg(*list, double), conversion, d->flags, d->width, d->precision);
}

static size_t __raddle_convert(char *to, size_t n, size_t at, __builtin_va_list *list, int c, struct __raddle_directive *d)
{
  if (c == 'X' || c == 'B')
    d->flags |= __raddle_upper;
  switch (c) {
  case '%':
    return __raddle_put(to, n, at, '%');
  case 'd': case 'i':
    return __raddle_put_signed(to, n, at, __raddle_signed_argument(list, d->length), d->flags, d->width, d->precision);
  case 'u': case 'o': case 'x': case 'X': case 'b': case 'B':
    return __raddle_put_unsigned(to, n, at, __raddle_unsigned_argument(list, d->length),
                                 c == 'u' ? 10 : c == 'o' ? 8 : c == 'b' || c == 'B' ? 2 : 16, d->flags, d->width, d->precision);
  case 'p':
    return __raddle_put_pointer(to, n, at, __builtin_va_arg(*list, void *), d->flags, d->width, d->precision);
  case 'n':
    __raddle_store_count(__builtin_va_arg(*list, void *), d->length, at);
    return at;
  case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
    return __raddle_put_real_argument(to, n, at, list, c, d);
  case 'c':
    if (d->length != 'l')
      return __raddle_put_character(to, n, at, __builtin_va_arg(*list, int), d->flags, d->width);
  case 'C':
    return __raddle_put_wide_character(to, n, at, __builtin_va_arg(*list, int), d->flags, d->width);
  case 's':
    if (d->length != 'l')
      return __raddle_put_string(to, n, at, __builtin_va_arg(*list, const char *), d->flags, d->width, d->precision);
  case 'S':
    return __raddle_put_wide_text(to, n, at, __builtin_va_arg(*list, const int *), d->flags, d->width, d->precision);
  }
  __raddle_gap("an unusual conversion in a format");
  return at;
}

int __raddle_formatted(char *to, size_t n, const char *format, __builtin_va_list given)
{
  size_t at = 0;
  __builtin_va_list list;
  __builtin_va_copy(list, given);
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      at = __raddle_put(to, n, at, *f);
      continue;
    }
    struct __raddle_directive d;
    f = __raddle_directive(f + 1, &list, &d);
    at = __raddle_convert(to, n, at, &list, *f, &d);
  }
  __builtin_va_end(list);
  return __raddle_put_end(to, n, at);
}

int vsnprintf(char *to, size_t n, const char *format, __builtin_va_list list) { return __raddle_formatted(to, n, format, list); }
int vsprintf(char *to, const char *format, __builtin_va_list list) { return __raddle_formatted(to, -1, format, list); }

int vasprintf(char **to, const char *format, __builtin_va_list list)
{
  int length = __raddle_formatted(0, 0, format, list);
  *to = malloc(length + 1ul);
  return __raddle_formatted(*to, length + 1ul, format, list);
}

int snprintf(char *to, size_t n, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = __raddle_formatted(to, n, format, list);
  __builtin_va_end(list);
  return length;
}

int sprintf(char *to, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = __raddle_formatted(to, -1, format, list);
  __builtin_va_end(list);
  return length;
}

int asprintf(char **to, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = vasprintf(to, format, list);
  __builtin_va_end(list);
  return length;
}

/* What fortified headers call: `room` is what gcc found for the target, or -1. */
int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, __builtin_va_list list)
{
  if (n > room)
    __raddle_gap("`vsnprintf` with a size that is larger than the target");
  return __raddle_formatted(to, n, format, list);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, __builtin_va_list list)
{
  return __raddle_formatted(to, -1, format, list);
}

int __snprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = __vsnprintf_chk(to, n, flag, room, format, list);
  __builtin_va_end(list);
  return length;
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = __raddle_formatted(to, -1, format, list);
  __builtin_va_end(list);
  return length;
}

int __vasprintf_chk(char **to, int flag, const char *format, __builtin_va_list list) { return vasprintf(to, format, list); }

int __asprintf_chk(char **to, int flag, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int length = vasprintf(to, format, list);
  __builtin_va_end(list);
  return length;
}
