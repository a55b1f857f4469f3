// true
// expect: explore unknown(nondet-domain), oc true, cegar true, auto true
// What is left of a sleep is at most what was asked for.
#include <assert.h>
#include <errno.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  struct timespec asked = {2, 5}, left = {7, 7};
  int answer = nanosleep(&asked, &left);
  if (answer == 0) assert(left.tv_sec == 7 && left.tv_nsec == 7);
  else {
    assert(answer == -1 && errno == EINTR);
    assert(left.tv_sec >= 0 && left.tv_nsec >= 0 && left.tv_nsec < 1000000000);
    assert(left.tv_sec < 2 || (left.tv_sec == 2 && left.tv_nsec <= 5));
  }
  assert(sleep(3) <= 3);
  asked.tv_nsec = -1;
  assert(nanosleep(&asked, 0) == -1 && errno == EINVAL);
  return 0;
}
