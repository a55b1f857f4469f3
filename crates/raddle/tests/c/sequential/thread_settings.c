/* What the functions of pthread.h, sched.h and signal.h that only keep and tell answer, and which values they refuse. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
static void stacks(void) {
  pthread_attr_t a;
  void *stack;
  size_t size;
  pthread_attr_init(&a);
  printf("%d", pthread_attr_getstack(&a, &stack, &size));
  printf(" %d %zu\n", stack == 0, size);
  printf("%d %d", pthread_attr_setstack(&a, (void *)0x10000, 2000), pthread_attr_setstack(&a, (void *)0x10000, 20000));
  pthread_attr_getstack(&a, &stack, &size);
  printf(" %lx %zu", (unsigned long)stack, size);
  pthread_attr_getstackaddr(&a, &stack);
  pthread_attr_getstacksize(&a, &size);
  printf(" %lx %zu\n", (unsigned long)stack, size);
  cpu_set_t processors;
  printf("%d", pthread_attr_getaffinity_np(&a, sizeof processors, &processors));
  printf(" %d", CPU_COUNT(&processors));
  sigset_t mask;
  printf(" %d\n", pthread_attr_getsigmask_np(&a, &mask));
}
static void mutexes(void) {
  pthread_mutexattr_t a;
  int value, other;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_getprioceiling(&a, &value);
  printf("%d %d %d", value, pthread_mutexattr_setprioceiling(&a, 0), pthread_mutexattr_setprioceiling(&a, 100));
  printf(" %d", pthread_mutexattr_setprioceiling(&a, 42));
  pthread_mutexattr_getprioceiling(&a, &value);
  printf(" %d\n", value);
  printf("%d %d %d", pthread_mutexattr_setprotocol(&a, 3), pthread_mutexattr_setpshared(&a, 2), pthread_mutexattr_settype(&a, 4));
  printf(" %d %d", pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT), pthread_mutexattr_setpshared(&a, 1));
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_getprotocol(&a, &value);
  pthread_mutexattr_getpshared(&a, &other);
  printf(" %d %d", value, other);
  pthread_mutexattr_gettype(&a, &value);
  pthread_mutexattr_getrobust(&a, &other);
  printf(" %d %d %d\n", value, other, pthread_mutexattr_setrobust(&a, 2));
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  printf("%d %d %d\n", pthread_mutex_getprioceiling(&m, &value), pthread_mutex_setprioceiling(&m, 1, &value), pthread_mutex_consistent(&m));
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_NONE);
  pthread_mutex_init(&m, &a);
  pthread_mutex_lock(&m);
  printf("%d\n", pthread_mutex_lock(&m));
}
static void sets(void) {
  sigset_t set, other;
  sigemptyset(&set);
  printf("%d %d %d", sigaddset(&set, 0), sigaddset(&set, 65), sigaddset(&set, SIGUSR1));
  printf(" %d %d %d", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2), sigismember(&set, 65));
  sigfillset(&other);
  printf(" %d %d %d", sigismember(&other, 32), sigaddset(&other, 33), sigdelset(&other, SIGUSR1));
  sigandset(&other, &set, &other);
  printf(" %d", sigisemptyset(&other));
  sigorset(&other, &set, &other);
  printf(" %d\n", sigisemptyset(&other));
}
static void signals(void) {
  sigset_t set, old;
  printf("%d %d", signal(SIGKILL, SIG_IGN) == SIG_ERR, signal(65, SIG_IGN) == SIG_ERR);
  printf(" %d", signal(SIGUSR1, SIG_IGN) == SIG_DFL);
  printf(" %d", raise(SIGUSR1));
  struct sigaction action;
  printf(" %d", sigaction(SIGUSR1, 0, &action));
  printf(" %d\n", action.sa_handler == SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigaddset(&set, SIGKILL);
  printf("%d %d", pthread_sigmask(7, &set, 0), pthread_sigmask(7, 0, 0));
  printf(" %d", pthread_sigmask(SIG_BLOCK, &set, &old));
  printf(" %d", sigprocmask(SIG_UNBLOCK, &set, &old));
  printf(" %d %d\n", sigismember(&old, SIGUSR2), sigismember(&old, SIGKILL));
  printf("%d %d\n", pthread_kill(pthread_self(), 0), pthread_kill(pthread_self(), 65));
}
int main(void) {
  stacks();
  mutexes();
  sets();
  signals();
  char name[16];
  printf("%d %d", pthread_setname_np(pthread_self(), "0123456789abcdef"), pthread_setname_np(pthread_self(), "worker"));
  printf(" %d", pthread_getname_np(pthread_self(), name, 15));
  printf(" %d %s\n", pthread_getname_np(pthread_self(), name, 16), name);
  printf("%d %d %d %d\n", sched_get_priority_min(SCHED_OTHER), sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_RR), sched_get_priority_max(4));
  return 0;
}
