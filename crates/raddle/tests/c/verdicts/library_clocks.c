// true
// expect: explore slow, oc true, cegar true, auto true
// What clocks show is in range.
#include <assert.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
  struct timespec ts;
  struct timeval tv;
  time_t t, u = time(&t);
  assert(t == u && t >= -1);
  if (clock_gettime(CLOCK_REALTIME, &ts) == 0) assert(ts.tv_sec >= 0 && ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000);
  if (gettimeofday(&tv, 0) == 0) assert(tv.tv_sec >= 0 && tv.tv_usec >= 0 && tv.tv_usec < 1000000);
  if (timespec_get(&ts, TIME_UTC) == TIME_UTC) assert(ts.tv_nsec <= 999999999);
  assert(sizeof(clock_t) == 4 || clock() >= -1);
  return 0;
}
