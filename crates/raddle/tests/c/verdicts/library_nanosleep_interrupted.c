// false
// expect: explore false, oc false, cegar false, auto false
// A sleep may end early.
#include <assert.h>
#include <errno.h>
#include <time.h>
int main(void) {
  struct timespec asked = {2, 5}, left = {0, 0};
  if (nanosleep(&asked, &left) == -1 && errno == EINTR) assert(left.tv_sec != 1);
  return 0;
}
