// true
// expect: explore slow, oc true, cegar slow, auto true
// Messages are texts, the same for the same error.
#include <assert.h>
#include <string.h>
int main(void) {
  char *message = strerror(2);
  assert(message[0]);
  assert(strerror(2) == message && strerror(3) != message);
  assert(strsignal(11)[0]);
  return 0;
}
