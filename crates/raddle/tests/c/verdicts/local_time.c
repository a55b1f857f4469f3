// true
// expect: explore slow, oc true, cegar slow, auto true
// Nobody knows the time zone, but a date in it is one of the calendar, and the same time has the same date.
#include <assert.h>
#include <time.h>
int main(void) {
  time_t start = 0, leap = 951782400;
  struct tm *date = localtime(&start), again;
  assert(date->tm_year == 69 || date->tm_year == 70);
  int hour = date->tm_hour;
  assert(localtime_r(&start, &again)->tm_hour == hour);
  date = localtime(&leap);
  assert(date->tm_year == 100 && (date->tm_mon == 1 ? date->tm_mday >= 27 && date->tm_mday <= 29 : date->tm_mon == 2 && date->tm_mday == 1));
  date = gmtime(&leap);
  assert(date->tm_mon == 1 && date->tm_mday == 29 && date->tm_wday == 2 && date->tm_yday == 59 && timegm(date) == leap);
  return 0;
}
