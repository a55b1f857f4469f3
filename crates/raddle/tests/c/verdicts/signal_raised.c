// false
// expect: explore false, oc false, cegar false, auto false
// A handled signal that a thread raises calls the handler, and a jump leaves it.
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf where;
static void leaves(int signal) { siglongjmp(where, signal); }
int main(void) {
  signal(SIGUSR1, leaves);
  int from = sigsetjmp(where, 1);
  if (from == 0)
    raise(SIGUSR1);
  assert(from != SIGUSR1);
  return 0;
}
