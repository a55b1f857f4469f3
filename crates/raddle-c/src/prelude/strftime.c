/* `strftime` in the "C" locale: the fields of a date as text. Text goes where `conversions.c` puts it; what does not fit makes the result 0. Local time has any zone: what
   needs its name is a gap unless the date tells it. */

/* Dates are those of `time.c`. */
extern char *asctime(const void *);

static const char __raddle_day_names[] = "Sunday\0   Monday\0   Tuesday\0  Wednesday\0Thursday\0 Friday\0   Saturday\0 ";
static const char __raddle_month_names[] =
    "January\0  February\0 March\0    April\0    May\0      June\0     July\0     August\0   September\0October\0  November\0 December\0 ";

/* `pad`: the character in front of a number, 0 for the usual one and '-' for none. `upper`: letters are to be capitals. */
struct __raddle_date_field { int pad, width; _Bool upper, swapped; };

/* Text, right-justified in a width. */
static size_t __raddle_put_word(char *to, size_t n, size_t at, const char *s, long most, const struct __raddle_date_field *d)
{
  long length = 0;
  while (length < most && s[length])
    length++;
  at = __raddle_pad(to, n, at, d->pad == '0' ? '0' : ' ', d->pad == '-' ? 0 : d->width - length);
  for (long i = 0; i < length; i++) {
    int c = s[i];
    at = __raddle_put(to, n, at, d->upper && c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return at;
}

static size_t __raddle_put_name(char *to, size_t n, size_t at, const char *names, int row, int number, int count, long most,
                                const struct __raddle_date_field *d)
{
  return __raddle_put_word(to, n, at, number >= 0 && number < count ? names + number * row : "?", most, d);
}

/* A number of at least so many digits; `pad` is what the conversion usually has in front. */
static size_t __raddle_put_field(char *to, size_t n, size_t at, long value, int digits, int pad, const struct __raddle_date_field *d)
{
  if (d->pad)
    pad = d->pad;
  long width = d->width > digits ? d->width : digits;
  if (pad == '-')
    return __raddle_put_signed(to, n, at, value, 0, 0, -1);
  return __raddle_put_signed(to, n, at, value, pad == '0' ? __raddle_zero : 0, value < 0 && d->width <= digits ? width + 1 : width, -1);
}

/* The days since the Monday of the first ISO week of a year; negative: the week is of the year before. */
static int __raddle_iso_days(int yday, int wday) { return yday - (yday - wday + 382) % 7 + 3; }

static int __raddle_year_length(long year) { return 365 + (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)); }

/* The week, and the year that it belongs to. */
static int __raddle_iso_week(const struct __raddle_tm *tm, long *year)
{
  *year = tm->year + 1900l;
  int days = __raddle_iso_days(tm->yday, tm->wday);
  if (days < 0) {
    --*year;
    days = __raddle_iso_days(tm->yday + __raddle_year_length(*year), tm->wday);
  } else {
    int next = __raddle_iso_days(tm->yday - __raddle_year_length(*year), tm->wday);
    if (next >= 0) {
      ++*year;
      days = next;
    }
  }
  return days / 7 + 1;
}

static long __raddle_floor(long a, long b) { return a / b - (a % b < 0); }

static size_t __raddle_put_zone(char *to, size_t n, size_t at, const struct __raddle_tm *tm, int c, const struct __raddle_date_field *d)
{
  if (tm->isdst < 0)
    return at;
  if (c == 'Z') {
    if (!tm->zone)
      return at;
    return __raddle_put_word(to, n, at, tm->zone, 1000000, d);
  }
  long minutes = tm->gmtoff / 60, offset = minutes < 0 ? -minutes : minutes;
  if (d->pad || d->width > 0)
    __raddle_gap("`strftime` with a width or a flag for %z");
  at = __raddle_put(to, n, at, tm->gmtoff < 0 ? '-' : '+');
  return __raddle_put_signed(to, n, at, offset / 60 * 100 + offset % 60, __raddle_zero, 4, -1);
}

/* Hours, minutes and seconds, days, weeks and years. */
static size_t __raddle_put_date_number(char *to, size_t n, size_t at, const struct __raddle_tm *tm, int c, const struct __raddle_date_field *d)
{
  long year = tm->year + 1900l, iso;
  int hour = tm->hour > 12 ? tm->hour - 12 : tm->hour == 0 ? 12 : tm->hour;
  switch (c) {
  case 'C':
    if (year < 1000)
      __raddle_gap("`strftime` with the century of an early year");
    return __raddle_put_field(to, n, at, __raddle_floor(year, 100), 2, '0', d);
  case 'd': return __raddle_put_field(to, n, at, tm->mday, 2, '0', d);
  case 'e': return __raddle_put_field(to, n, at, tm->mday, 2, ' ', d);
  case 'H': return __raddle_put_field(to, n, at, tm->hour, 2, '0', d);
  case 'I': return __raddle_put_field(to, n, at, hour, 2, '0', d);
  case 'k': return __raddle_put_field(to, n, at, tm->hour, 2, ' ', d);
  case 'l': return __raddle_put_field(to, n, at, hour, 2, ' ', d);
  case 'j': return __raddle_put_field(to, n, at, tm->yday + 1l, 3, '0', d);
  case 'M': return __raddle_put_field(to, n, at, tm->min, 2, '0', d);
  case 'm': return __raddle_put_field(to, n, at, tm->mon + 1l, 2, '0', d);
  case 'S': return __raddle_put_field(to, n, at, tm->sec, 2, '0', d);
  case 'U': return __raddle_put_field(to, n, at, (tm->yday - tm->wday + 7) / 7, 2, '0', d);
  case 'W': return __raddle_put_field(to, n, at, (tm->yday - (tm->wday + 6) % 7 + 7) / 7, 2, '0', d);
  case 'u': return __raddle_put_field(to, n, at, (tm->wday + 6) % 7 + 1, 1, '0', d);
  case 'w': return __raddle_put_field(to, n, at, tm->wday, 1, '0', d);
  case 'V': return __raddle_put_field(to, n, at, __raddle_iso_week(tm, &iso), 2, '0', d);
  case 'Y': return __raddle_put_field(to, n, at, year, 1, '0', d);
  case 'y': return __raddle_put_field(to, n, at, (year % 100 + 100) % 100, 2, '0', d);
  case 'G':
    __raddle_iso_week(tm, &iso);
    return __raddle_put_field(to, n, at, iso, 1, '0', d);
  case 'g':
    __raddle_iso_week(tm, &iso);
    return __raddle_put_field(to, n, at, (iso % 100 + 100) % 100, 2, '0', d);
  }
  __raddle_gap("an unusual conversion in a format of `strftime`");
  return at;
}

/* What stands for several conversions. */
static const char *__raddle_date_format(int c)
{
  switch (c) {
  case 'c': return "%a %b %e %H:%M:%S %Y";
  case 'D': case 'x': return "%m/%d/%y";
  case 'F': return "%Y-%m-%d";
  case 'R': return "%H:%M";
  case 'r': return "%I:%M:%S %p";
  case 'T': case 'X': return "%H:%M:%S";
  default: return 0;
  }
}

static size_t __raddle_put_date_field(char *to, size_t n, size_t at, const struct __raddle_tm *tm, int c, struct __raddle_date_field *d)
{
  switch (c) {
  case '%': return __raddle_put_word(to, n, at, "%", 1, d);
  case 'n': return __raddle_put_word(to, n, at, "\n", 1, d);
  case 't': return __raddle_put_word(to, n, at, "\t", 1, d);
  case 'a': case 'A':
    return __raddle_put_name(to, n, at, __raddle_day_names, 10, tm->wday, 7, c == 'a' ? 3 : 10, d);
  case 'b': case 'B': case 'h':
    return __raddle_put_name(to, n, at, __raddle_month_names, 10, tm->mon, 12, c == 'B' ? 10 : 3, d);
  case 'p': case 'P':
    return __raddle_put_word(to, n, at, c == 'P' || (d->swapped && !d->upper) ? tm->hour > 11 ? "pm" : "am" : tm->hour > 11 ? "PM" : "AM", 2, d);
  case 'Z': case 'z':
    return __raddle_put_zone(to, n, at, tm, c, d);
  case 's':
    __raddle_gap("`strftime` with seconds since 1970");
    return at;
  }
  return __raddle_put_date_number(to, n, at, tm, c, d);
}

/* Flags, a width, and a modifier that means nothing in this locale. */
static const char *__raddle_date_directive(const char *f, struct __raddle_date_field *d)
{
  d->pad = d->width = d->upper = d->swapped = 0;
  for (; *f == '_' || *f == '-' || *f == '0' || *f == '+' || *f == '^' || *f == '#'; f++) {
    if (*f == '^')
      d->upper = 1;
    else if (*f == '#')
      d->swapped = 1;
    else
      d->pad = *f == '_' ? ' ' : *f;
  }
  for (; *f >= '0' && *f <= '9'; f++) {
    if (d->width > 100000)
      __raddle_gap("a field of more than 100000 characters");
    d->width = d->width * 10 + (*f - '0');
  }
  _Bool is_modified = *f == 'E' || *f == 'O';
  _Bool is_known = f[0] && f[1] && strchr(*f == 'E' ? "cCxXyY" : "deHImMSuUVwWy", f[1]);
  if (d->pad == '+' || (d->pad == '-' && d->width > 0) || (d->swapped && *f != 'p')
      || (is_modified && (!is_known || d->pad || d->width > 0 || d->upper)))
    __raddle_gap("an unusual flag in a format of `strftime`");
  return f + is_modified;
}

static size_t __raddle_put_dates(char *to, size_t n, size_t at, const char *f, const struct __raddle_tm *tm)
{
  for (; *f; f++) {
    if (*f != '%') {
      at = __raddle_put(to, n, at, *f);
      continue;
    }
    struct __raddle_date_field d;
    f = __raddle_date_directive(f + 1, &d);
    const char *parts = __raddle_date_format(*f);
    if (!parts) {
      at = __raddle_put_date_field(to, n, at, tm, *f, &d);
      continue;
    }
    if (d.pad || d.width > 0 || d.upper)
      __raddle_gap("a width or a flag for several fields in a format of `strftime`");
    for (; *parts; parts++)
      if (*parts != '%')
        at = __raddle_put(to, n, at, *parts);
      else
        at = __raddle_put_date_field(to, n, at, tm, *++parts, &d);
  }
  return at;
}

size_t strftime(char *to, size_t n, const char *format, const void *tm)
{
  size_t length = __raddle_put_dates(to, n, 0, format, tm);
  if (length >= n)
    return 0;
  to[length] = 0;
  return length;
}
size_t strftime_l(char *to, size_t n, const char *format, const void *tm, void *locale) { return strftime(to, n, format, tm); }
