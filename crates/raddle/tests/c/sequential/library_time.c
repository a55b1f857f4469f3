// Dates in UTC, and dates as text.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static unsigned seed = 2;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static void show(time_t t) {
  struct tm tm;
  errno = 0;
  if (!gmtime_r(&t, &tm)) {
    printf("%d\n", errno);
    return;
  }
  printf("%d %d %d %d %d %d ", tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
  const char *text = asctime(&tm);
  printf("%d %d %d %ld %s %s", tm.tm_wday, tm.tm_yday, tm.tm_isdst, tm.tm_gmtoff, tm.tm_zone, text ? text : "none");
  printf("%d ", timegm(&tm) == t);
}

int main(void) {
  static const time_t times[] = {0, -1, 1, 86399, 86400, 951782399, 951782400, 951868800, 4107542400, -2203891200, -62135596800, -62167219200,
    67767976233532799, 67767976233619199, 67768036191676799, 67768036191676800, -67768040609740800, -67768040609740801, 1l << 62};
  for (int i = 0; i < sizeof times / sizeof *times; i++) show(times[i]);
  for (int i = 0; i < 60; i++) show((long)((next(65536) << 16 | next(65536)) - (1u << 31)) * (i % 3 ? 1 : 1000));
  for (int i = 0; i < 30; i++) {
    struct tm tm = {0};
    tm.tm_year = next(400);
    tm.tm_mon = next(60) - 30;
    tm.tm_mday = next(100) - 40;
    tm.tm_hour = next(100) - 50;
    tm.tm_min = next(500) - 250;
    tm.tm_sec = next(9000) - 4000;
    time_t t = timegm(&tm);
    printf("%ld %d %d %d %d %d %d %d %d\n", t, tm.tm_year, tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday, tm.tm_yday);
    printf("%.17g\n", difftime(t, next(1000)));
  }
  printf("%.17g %.17g\n", difftime(1l << 62, -(1l << 62)), difftime(-(1l << 62), (1l << 61) + 1));
  char text[26];
  struct tm odd = {.tm_mon = 13, .tm_wday = -1, .tm_mday = -5, .tm_hour = 5, .tm_min = -7, .tm_year = -1905};
  printf("%s", asctime(&odd));
  printf("%s%d\n", asctime_r(&odd, text) ? text : "none", dysize(2000) + dysize(1900) + dysize(2024) + dysize(2023));
  odd.tm_year = 99999;
  errno = 0;
  char *none = asctime_r(&odd, text);
  printf("%d %d %s", none == 0, errno, asctime(&odd));
  struct timespec ts = {0, 1}, bad = {0, 1000000000};
  struct timeval tv;
  errno = 0;
  int answer = nanosleep(&bad, 0);
  printf("%d %d %d ", answer, errno, clock_nanosleep(CLOCK_REALTIME, 0, &bad, 0));
  printf("%d %d %d\n", gettimeofday(&tv, 0), clock_gettime(CLOCK_MONOTONIC, &ts), timespec_get(&ts, 7));
  return 0;
}
