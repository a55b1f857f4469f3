// true
// expect: explore true, oc true, cegar unknown(stuck), auto true
// A signal that is blocked waits for its thread, and then ends the program; one that is ignored does nothing.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
int main(void) {
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGTERM));
  assert(raise(SIGTERM) == 0);
  assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL && raise(SIGUSR1) == 0);
  pthread_sigmask(SIG_SETMASK, &old, 0);
  assert(0);
  return 0;
}
