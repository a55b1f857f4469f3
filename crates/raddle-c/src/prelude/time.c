/* <time.h> and <sys/time.h>. Clocks show any value that they can; dates are computed. Nobody knows the zone of local
   time: its distance from UTC is any for any time, but the same whenever that is asked for. */

struct __raddle_tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };

static long __raddle_below(long bound)
{
  long value = __VERIFIER_nondet_long();
  __VERIFIER_assume(value >= 0 && value < bound);
  return value;
}

/* Seconds, and the part of a second: what `timespec` and `timeval` are. */
static void __raddle_now(long *now, long parts)
{
  long seconds = __VERIFIER_nondet_long();
  __VERIFIER_assume(seconds >= 0);
  now[0] = seconds;
  now[1] = __raddle_below(parts);
}

/* ---- clocks ---- */

long time(long *seconds)
{
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= -1);
  if (seconds)
    *seconds = now;
  return now;
}

int gettimeofday(long *now, int *zone)
{
  if (now)
    __raddle_now(now, 1000000);
  if (zone) {
    zone[0] = __VERIFIER_nondet_int();
    zone[1] = __VERIFIER_nondet_int();
  }
  return 0;
}

int settimeofday(const long *now, const void *zone)
{
  if (!__VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = __VERIFIER_nondet_bool() ? 1 : 22;
  return -1;
}

/* CLOCK_REALTIME and CLOCK_MONOTONIC are always there. */
static int __raddle_has_clock(int id)
{
  if (id == 0 || id == 1 || (id <= 11 && __VERIFIER_nondet_bool()))
    return 1;
  __raddle_errno = 22;
  return 0;
}

/* What clocks showed last that never go back: those of processes and since the start of the machine, and of the thread. */
static long __raddle_shown[8][2];
static __thread long __raddle_shown_to_thread[2];

static void __raddle_not_before(long *now, long *shown)
{
  __VERIFIER_assume(now[0] > shown[0] || (now[0] == shown[0] && now[1] >= shown[1]));
  shown[0] = now[0];
  shown[1] = now[1];
}

int clock_gettime(int id, long *time)
{
  long now[2];
  if (!__raddle_has_clock(id))
    return -1;
  __raddle_now(now, 1000000000);
  if (id == 3)
    __raddle_not_before(now, __raddle_shown_to_thread);
  else if (id == 1 || id == 2 || id == 4 || id == 6 || id == 7) {
    __VERIFIER_atomic_begin();
    __raddle_not_before(now, __raddle_shown[id]);
    __VERIFIER_atomic_end();
  }
  time[0] = now[0];
  time[1] = now[1];
  return 0;
}

int clock_getres(int id, long *resolution)
{
  if (!__raddle_has_clock(id))
    return -1;
  if (resolution)
    __raddle_now(resolution, 1000000000);
  return 0;
}

int clock_settime(int id, const long *now) { return settimeofday(now, 0); }

int timespec_get(long *now, int base)
{
  if (base != 1)
    return 0;
  __raddle_now(now, 1000000000);
  return 1;
}

int timespec_getres(long *resolution, int base) { return base == 1 && resolution ? timespec_get(resolution, base) : base == 1; }

/* Processor time grows, until it is too large for the type or not known. */
static long __raddle_used;

long clock(void)
{
  long used = __VERIFIER_nondet_long();
  if (used == -1 || sizeof used == 4)
    return used;
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(used >= __raddle_used);
  __raddle_used = used;
  __VERIFIER_atomic_end();
  return used;
}

long times(long *used)
{
  for (int i = 0; used && i < 4; i++) {
    used[i] = __VERIFIER_nondet_long();
    __VERIFIER_assume(used[i] >= 0);
  }
  return __VERIFIER_nondet_long();
}

double difftime(long a, long b)
{
  return a >= b ? (double)((unsigned long)a - b) : -(double)((unsigned long)b - a);
}

/* ---- sleeping: it orders nothing, and a signal may end it early ---- */

unsigned sleep(unsigned seconds)
{
  unsigned left = __VERIFIER_nondet_int();
  return left < seconds ? left : seconds;
}

int usleep(unsigned microseconds)
{
  if (!__VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = 4;
  return -1;
}

/* Returns the error. What is left is at most what was asked for. */
static int __raddle_sleep(const long *asked, long *left)
{
  long seconds = asked[0], parts = asked[1];
  if (seconds < 0 || parts < 0 || parts > 999999999)
    return 22;
  if (!__VERIFIER_nondet_bool())
    return 0;
  if (left) {
    __raddle_now(left, 1000000000);
    __VERIFIER_assume(left[0] < seconds || (left[0] == seconds && left[1] <= parts));
  }
  return 4;
}

int nanosleep(const long *asked, long *left)
{
  int error = __raddle_sleep(asked, left);
  if (!error)
    return 0;
  __raddle_errno = error;
  return -1;
}

int clock_nanosleep(int id, int flags, const long *asked, long *left)
{
  if (id != 0 && id != 1 && __VERIFIER_nondet_bool())
    return __VERIFIER_nondet_bool() ? 22 : 95;
  return __raddle_sleep(asked, flags & 1 ? 0 : left);
}

int thrd_sleep(const long *asked, long *left)
{
  int error = __raddle_sleep(asked, left);
  return error == 4 ? -1 : error ? -2 : 0;
}

/* ---- dates ---- */

int dysize(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365; }

/* Days since 1970. Years are taken to begin in March, so that a leap day is the last of its year. */
static long long __raddle_days(long long year, int month, int day)
{
  if (month < 2)
    year--;
  int march = month < 2 ? month + 10 : month - 2;
  long long cycle = (year >= 0 ? year : year - 399) / 400;
  int in_cycle = year - cycle * 400;
  return cycle * 146097 + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + (march * 153 + 2) / 5 + day - 719469;
}

/* `offset` is at most some days. */
static struct __raddle_tm *__raddle_date(long long seconds, int offset, struct __raddle_tm *tm)
{
  long long days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
  int second = (int)(seconds - days * 86400) + offset;
  for (; second < 0; days--)
    second += 86400;
  for (; second >= 86400; days++)
    second -= 86400;
  long long shifted = days + 719468, cycle = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int day = shifted - cycle * 146097;
  int in_cycle = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= in_cycle * 365 + in_cycle / 4 - in_cycle / 100;
  int march = (day * 5 + 2) / 153, month = march < 10 ? march + 2 : march - 10;
  long long year = cycle * 400 + in_cycle + (month < 2);
  if (year - 1900 != (int)(year - 1900)) {
    __raddle_errno = 75;
    return 0;
  }
  long long weekday = (days + 4) % 7;
  tm->sec = second % 60;
  tm->min = second / 60 % 60;
  tm->hour = second / 3600;
  tm->mday = day - (march * 153 + 2) / 5 + 1;
  tm->mon = month;
  tm->year = year - 1900;
  tm->wday = weekday < 0 ? weekday + 7 : weekday;
  tm->yday = days - __raddle_days(year, 0, 1);
  tm->isdst = 0;
  tm->gmtoff = 0;
  tm->zone = "GMT";
  return tm;
}

static struct __raddle_tm __raddle_shared_tm;
static __thread char __raddle_zone[8];

void *gmtime_r(const long *seconds, void *tm) { return __raddle_date(*seconds, 0, tm); }
void *gmtime(const long *seconds) { return __raddle_date(*seconds, 0, &__raddle_shared_tm); }

long timegm(void *date)
{
  struct __raddle_tm *tm = date;
  int years = (tm->mon >= 0 ? tm->mon : tm->mon - 11) / 12;
  long long days = __raddle_days(1900ll + tm->year + years, tm->mon - years * 12, 1) + tm->mday - 1ll;
  long long seconds = ((days * 24 + tm->hour) * 60 + tm->min) * 60 + tm->sec;
  if (seconds == (long)seconds)
    return __raddle_date(seconds, 0, tm) ? seconds : -1;
  __raddle_errno = 75;
  return -1;
}

/* What the zone says about times that were asked for: a zone may change its distance from UTC at any time, and some know leap seconds. */
static struct __raddle_zone { long seconds; int offset; _Bool is_summer, is_leap; } __raddle_zones[4];
static int __raddle_zones_known;

static int __raddle_any_offset(void)
{
  int offset = __VERIFIER_nondet_int();
  __VERIFIER_assume(offset >= -90000 && offset <= 90000);
  return offset;
}

/* The zone at a time; `offset`: what it is to be, or 100000. */
static struct __raddle_zone *__raddle_zone_at(long seconds, int offset)
{
  if (__raddle_sets_zone)
    __raddle_gap("local time where the program sets the zone");
  int i = 0;
  while (i < __raddle_zones_known && __raddle_zones[i].seconds != seconds)
    i++;
  struct __raddle_zone *zone = &__raddle_zones[i];
  if (i == __raddle_zones_known) {
    if (i == 4)
      __raddle_gap("more than four local times");
    __raddle_zones_known++;
    zone->seconds = seconds;
    zone->offset = __raddle_any_offset();
    zone->is_summer = __VERIFIER_nondet_bool();
    zone->is_leap = __VERIFIER_nondet_bool();
  }
  __VERIFIER_assume(offset == 100000 || zone->offset == offset);
  return zone;
}

static void *__raddle_local_date(const struct __raddle_zone *zone, struct __raddle_tm *tm)
{
  if (!__raddle_date(zone->seconds, zone->offset, tm))
    return 0;
  if (tm->sec == 59)
    tm->sec += zone->is_leap;
  tm->isdst = zone->is_summer;
  tm->gmtoff = zone->offset;
  __raddle_any_text(__raddle_zone, sizeof __raddle_zone);
  tm->zone = __raddle_zone;
  return tm;
}

/* The year of a very large number of seconds is no int. */
void *localtime_r(const long *seconds, void *tm)
{
  long long away = *seconds;
  if (away > 1ll << 62 || away < -(1ll << 62)) {
    __raddle_errno = 75;
    return 0;
  }
  __VERIFIER_atomic_begin();
  struct __raddle_zone zone = *__raddle_zone_at(away, 100000);
  __VERIFIER_atomic_end();
  return __raddle_local_date(&zone, tm);
}

void *localtime(const long *seconds) { return localtime_r(seconds, &__raddle_shared_tm); }

/* A time with this date that was asked for, or another one. */
static struct __raddle_zone __raddle_zone_of(long long date, int is_summer)
{
  struct __raddle_zone zone;
  int i = 0;
  __VERIFIER_atomic_begin();
  while (i < __raddle_zones_known && !((long long)__raddle_zones[i].seconds + __raddle_zones[i].offset == date && (is_summer < 0 || __raddle_zones[i].is_summer == is_summer)))
    i++;
  if (i < __raddle_zones_known)
    zone = __raddle_zones[i];
  else {
    int offset = __raddle_any_offset();
    zone = *__raddle_zone_at(date - offset, offset);
  }
  __VERIFIER_atomic_end();
  return zone;
}

/* Where clocks are changed, a date is there twice or not at all. */
long mktime(void *tm)
{
  struct __raddle_tm *date = tm, utc = *date;
  int is_summer = date->isdst < 0 ? -1 : date->isdst > 0;
  long seconds = timegm(&utc);
  long long away = seconds;
  if (seconds == -1)
    __raddle_gap("`mktime` of a date that is too far away or just before 1970");
  if (date->sec == 60)
    __raddle_gap("`mktime` of a leap second");
  if (__VERIFIER_nondet_bool())
    __raddle_gap("`mktime` of a date at which clocks are changed");
  struct __raddle_zone zone = __raddle_zone_of(away, is_summer);
  if (is_summer >= 0 && zone.is_summer != is_summer)
    __raddle_gap("`mktime` of a date that is said to be in summer");
  __raddle_local_date(&zone, date);
  return zone.seconds;
}

long timelocal(void *tm) { return mktime(tm); }
void tzset(void) { }

/* ---- dates as text ---- */

static char *__raddle_put_text(char *to, const char *names, int number, int count)
{
  for (int i = 0; i < 3; i++)
    *to++ = number >= 0 && number < count ? names[number * 3 + i] : '?';
  return to;
}

/* At least so many digits, and with spaces in front at least so many characters. */
static char *__raddle_put_number(char *to, int number, int digits, int width)
{
  char reversed[12];
  unsigned rest = number < 0 ? -(unsigned)number : number;
  int n = 0;
  for (; rest || n < digits; rest /= 10)
    reversed[n++] = '0' + rest % 10;
  if (number < 0)
    reversed[n++] = '-';
  for (int i = n; i < width; i++)
    *to++ = ' ';
  while (n > 0)
    *to++ = reversed[--n];
  return to;
}

static char *__raddle_put_date(const struct __raddle_tm *tm, char *to, size_t room)
{
  char text[96], *at = text;
  if (!tm) {
    __raddle_errno = 22;
    return 0;
  }
  if (tm->year > 2147483647 - 1900) {
    __raddle_errno = 75;
    return 0;
  }
  at = __raddle_put_text(at, "SunMonTueWedThuFriSat", tm->wday, 7);
  *at++ = ' ';
  at = __raddle_put_text(at, "JanFebMarAprMayJunJulAugSepOctNovDec", tm->mon, 12);
  at = __raddle_put_number(at, tm->mday, 1, 3);
  *at++ = ' ';
  at = __raddle_put_number(at, tm->hour, 2, 0);
  *at++ = ':';
  at = __raddle_put_number(at, tm->min, 2, 0);
  *at++ = ':';
  at = __raddle_put_number(at, tm->sec, 2, 0);
  *at++ = ' ';
  at = __raddle_put_number(at, 1900 + tm->year, 1, 0);
  *at++ = '\n';
  size_t n = at - text;
  memcpy(to, text, n < room ? n : room - 1);
  to[n < room ? n : room - 1] = 0;
  if (n < room)
    return to;
  __raddle_errno = 75;
  return 0;
}

static char __raddle_date_text[96];

char *asctime(const void *tm) { return __raddle_put_date(tm, __raddle_date_text, sizeof __raddle_date_text); }
char *asctime_r(const void *tm, char *to) { return __raddle_put_date(tm, to, 26); }
char *ctime(const long *seconds) { return asctime(localtime(seconds)); }

char *ctime_r(const long *seconds, char *to)
{
  struct __raddle_tm tm;
  return localtime_r(seconds, &tm) ? asctime_r(&tm, to) : 0;
}
