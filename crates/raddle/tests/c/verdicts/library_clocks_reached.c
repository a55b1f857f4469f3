// false
// expect: explore false, oc false, cegar false, auto false
// A clock shows any value.
#include <assert.h>
#include <time.h>
int main(void) {
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  assert(ts.tv_sec != 12345 || ts.tv_nsec != 999999999);
  return 0;
}
