// true
// expect: explore unknown(nondet-domain), oc true, cegar slow, auto true
// A date in local time has its fields in range.
#include <assert.h>
#include <time.h>
int main(void) {
  time_t t = 1000000;
  struct tm tm, *shared = localtime(&t);
  assert(shared && shared == localtime(&t));
  assert(localtime_r(&t, &tm) == &tm);
  assert(tm.tm_sec >= 0 && tm.tm_sec <= 60 && tm.tm_min >= 0 && tm.tm_min < 60 && tm.tm_hour >= 0 && tm.tm_hour < 24);
  assert(tm.tm_mday >= 1 && tm.tm_mday <= 31 && tm.tm_mon >= 0 && tm.tm_mon < 12 && tm.tm_wday >= 0 && tm.tm_wday < 7);
  return 0;
}
