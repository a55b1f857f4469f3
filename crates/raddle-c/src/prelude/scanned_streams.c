/* `scanf` and `fscanf`: the input is any text. So each directive matches or not, the values are any that the conversion gives, and at most what the
   width says is stored. */

extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern long double __VERIFIER_nondet_long_double(void);
extern long long __VERIFIER_nondet_longlong(void);
extern short __VERIFIER_nondet_short(void);
extern void *__VERIFIER_nondet_pointer(void);

/* A directive does not match, or there is no more input. */
static int __raddle_scan_ends(struct __raddle_file *file, int done)
{
  _Bool is_mismatch = __VERIFIER_nondet_bool(), is_end = __VERIFIER_nondet_bool();
  __VERIFIER_atomic_begin();
  if (file->end && file->pushed == 0)
    is_mismatch = 0;
  if (file->end || is_end)
    file->end = 1;
  else if (!is_mismatch) {
    file->error = 1;
    __raddle_stream_error();
  }
  __VERIFIER_atomic_end();
  return is_mismatch || done > 0 ? done : -1;
}

/* A decimal number of few characters. */
static int __raddle_any_short(int width, int is_signed)
{
  int most = 1, value = __VERIFIER_nondet_int();
  for (int i = 0; i < width; i++)
    most *= 10;
  __VERIFIER_assume(value < most && value > (is_signed ? -most / 10 : -1));
  return value;
}

static void __raddle_any_integer(int c, const struct __raddle_scan_directive *d, void *to)
{
  if (d->width > 0 && d->width < 9 && c == 'd') {
    __raddle_store_integer(to, d->length, __raddle_any_short(d->width, 1));
    return;
  }
  switch (d->length) {
  case 'H': *(__raddle_byte *)to = __VERIFIER_nondet_uchar(); break;
  case 'h': *(short *)to = __VERIFIER_nondet_short(); break;
  case 'l': *(long *)to = __VERIFIER_nondet_long(); break;
  case 'L': *(long long *)to = __VERIFIER_nondet_longlong(); break;
  case 'z': *(long *)to = __VERIFIER_nondet_long(); break;
  default: *(int *)to = __VERIFIER_nondet_int();
  }
}

/* Text of a length that nobody knows may be too long for the object. */
static void __raddle_scan_any_text(int c, const struct __raddle_scan_directive *d, const char *set, struct __raddle_file *file, char *to)
{
  int width = c == 'c' && d->width < 0 ? 1 : d->width, i = 0;
  for (; width < 0 || i < width; i++) {
    if (i > 0 && __VERIFIER_nondet_bool())
      break;
    __raddle_byte byte = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(c == 's' ? !isspace(byte) : c == 'c' || __raddle_in_set(set, byte));
    to[i] = byte;
  }
  if (c != 'c')
    to[i] = 0;
  else if (i < width) {
    __VERIFIER_atomic_begin();
    file->end = 1;
    __VERIFIER_atomic_end();
  }
}

static void __raddle_any_item(int c, const struct __raddle_scan_directive *d, const char *set, struct __raddle_file *file, void *to)
{
  if (d->allocates)
    __raddle_gap("a text from a stream that `scanf` allocates");
  if (c == 's' || c == 'c' || c == '[')
    __raddle_scan_any_text(c, d, set, file, to);
  else if (c == 'p')
    *(void **)to = __VERIFIER_nondet_pointer();
  else if (!strchr("fFeEgGaA", c))
    __raddle_any_integer(c, d, to);
  else if (d->length == 'L')
    *(long double *)to = __VERIFIER_nondet_long_double();
  else if (d->length == 'l')
    *(double *)to = __VERIFIER_nondet_double();
  else
    *(float *)to = __VERIFIER_nondet_float();
}

/* Is there input, and does it match? What was pushed back may be used up. */
static int __raddle_scan_goes_on(struct __raddle_file *file)
{
  __VERIFIER_atomic_begin();
  int goes_on = (!file->end || file->pushed > 0) && __VERIFIER_nondet_bool();
  while (file->pushed > 0 && __VERIFIER_nondet_bool())
    file->pushed--;
  __VERIFIER_atomic_end();
  return goes_on;
}

/* The end may have been seen by looking ahead. */
static void __raddle_look_ahead(struct __raddle_file *file)
{
  _Bool is_end = __VERIFIER_nondet_bool();
  __VERIFIER_atomic_begin();
  if (is_end && file->pushed == 0)
    file->end = 1;
  __VERIFIER_atomic_end();
}

/* How much is read is not counted. */
static int __raddle_begin_scan(struct __raddle_file *file)
{
  if (file->no_input)
    return __raddle_wrong_way(file);
  __VERIFIER_atomic_begin();
  if (file->known)
    __raddle_gap("scanning a file that the program has met before");
  file->lost = file->was_read = 1;
  __VERIFIER_atomic_end();
  return 0;
}

int __raddle_scanned_stream(void *file, const char *f, __builtin_va_list given)
{
  int done = 0;
  if (__raddle_begin_scan(file))
    return -1;
  __builtin_va_list list;
  __builtin_va_copy(list, given);
  for (; *f; f++) {
    if (isspace((__raddle_byte)*f))
      continue;
    struct __raddle_scan_directive d = {-1, 0, 1, 0};
    int c = *f;
    if (c == '%') {
      f = __raddle_scan_directive(f + 1, &d);
      __raddle_check_directive(*f, &d);
      c = *f == '%' ? 0 : *f;
    } else
      c = 0;
    void *to = !c || d.suppressed ? 0 : __builtin_va_arg(list, void *);
    if (c == 'n')
      __raddle_gap("how many characters were read of a stream");
    if (!__raddle_scan_goes_on(file))
      return __raddle_scan_ends(file, done);
    if (to)
      __raddle_any_item(c, &d, f + 1, file, to);
    done += to != 0;
    if (c == '[')
      f = __raddle_end_of_set(f + 1);
  }
  __builtin_va_end(list);
  __raddle_look_ahead(file);
  return done;
}

int vfscanf(void *file, const char *format, __builtin_va_list list) { return __raddle_scanned_stream(file, format, list); }
int __isoc99_vfscanf(void *file, const char *format, __builtin_va_list list) { return __raddle_scanned_stream(file, format, list); }
int __isoc23_vfscanf(void *file, const char *format, __builtin_va_list list) { return __raddle_scanned_stream(file, format, list); }
int vscanf(const char *format, __builtin_va_list list) { return __raddle_scanned_stream(stdin, format, list); }
int __isoc99_vscanf(const char *format, __builtin_va_list list) { return __raddle_scanned_stream(stdin, format, list); }
int __isoc23_vscanf(const char *format, __builtin_va_list list) { return __raddle_scanned_stream(stdin, format, list); }

int scanf(const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(stdin, format, list);
  __builtin_va_end(list);
  return done;
}

int fscanf(void *file, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(file, format, list);
  __builtin_va_end(list);
  return done;
}

int __isoc99_scanf(const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(stdin, format, list);
  __builtin_va_end(list);
  return done;
}

int __isoc99_fscanf(void *file, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(file, format, list);
  __builtin_va_end(list);
  return done;
}

int __isoc23_scanf(const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(stdin, format, list);
  __builtin_va_end(list);
  return done;
}

int __isoc23_fscanf(void *file, const char *format, ...)
{
  __builtin_va_list list;
  __builtin_va_start(list, format);
  int done = __raddle_scanned_stream(file, format, list);
  __builtin_va_end(list);
  return done;
}
