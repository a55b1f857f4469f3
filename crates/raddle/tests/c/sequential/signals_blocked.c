/* A blocked signal waits until its thread no longer blocks it, once however often it comes; one that is ignored does nothing. While a handler runs, its signal and
   those of its mask are blocked. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
static int depth, left = 2;
static void handle(int number) {
  printf("[%d at depth %d", number, depth++);
  if (left-- > 0)
    raise(number);
  depth--;
  printf("]");
}
static void masks(void) {
  sigset_t one, other, old;
  sigemptyset(&one), sigaddset(&one, SIGUSR1);
  sigfillset(&other);
  printf("%d", pthread_sigmask(SIG_BLOCK, &one, &old));
  printf(" %d", sigismember(&old, SIGUSR1));
  printf(" raised %d", raise(SIGUSR1));
  printf(" again %d", pthread_kill(pthread_self(), SIGUSR1));
  printf(" bad %d", pthread_sigmask(77, &one, 0));
  printf(" asked %d", pthread_sigmask(77, 0, &old));
  printf(" %d", sigismember(&old, SIGUSR1));
  pthread_sigmask(SIG_UNBLOCK, &one, 0);
  printf(" unblocked\n");
  sigprocmask(SIG_SETMASK, &other, &old);
  raise(SIGUSR1);
  sigprocmask(SIG_SETMASK, 0, &other);
  printf("%d %d %d ", sigismember(&other, SIGKILL), sigismember(&other, SIGUSR1), sigismember(&other, SIGTERM));
  sigprocmask(SIG_SETMASK, &old, 0);
  printf(" once %d", sighold(SIGUSR1));
  printf(" %d\n", raise(SIGUSR1));
  sigrelse(SIGUSR1);
  printf(" released\n");
}
static void actions(void) {
  struct sigaction action, old;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  action.sa_flags = SA_RESETHAND | SA_NODEFER;
  sigaction(SIGUSR2, &action, &old);
  printf("%d ", old.sa_handler == SIG_DFL);
  left = 0;
  printf("%d", raise(SIGUSR2));
  signal(SIGUSR2, SIG_IGN);
  printf(" %d", raise(SIGUSR2));
  printf(" %d", signal(SIGUSR2, handle) == SIG_IGN);
  printf(" %d\n", raise(SIGUSR2));
}
static sigjmp_buf away;
static void leave(int number) { siglongjmp(away, number); }
int main(void) {
  signal(SIGUSR1, handle);
  masks(), actions();
  signal(SIGUSR1, leave);
  for (volatile int i = 0; i < 2; i++) {
    int from = sigsetjmp(away, i == 0);
    sigset_t now;
    if (from == 0)
      raise(SIGUSR1);
    sigprocmask(SIG_BLOCK, 0, &now);
    printf("%d %d\n", from, sigismember(&now, SIGUSR1));
  }
  return 0;
}
