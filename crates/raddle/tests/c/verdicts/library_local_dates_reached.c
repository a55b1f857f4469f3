// false
// expect: explore false, oc false, cegar slow, auto false
// Nobody knows the time zone.
#include <assert.h>
#include <time.h>
int main(void) {
  time_t t = 1000000;
  assert(localtime(&t)->tm_hour != 23);
  return 0;
}
