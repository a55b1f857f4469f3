// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// A handled signal may come at any time, which is not modelled.
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t stopped;
static void stops(int signal) { stopped = 1; }
int main(void) {
  signal(SIGINT, stops);
  assert(!stopped);
  return 0;
}
