/* What glibc answers in corners of <pthread.h> and <signal.h>. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

static pthread_key_t plain, seen, deleted;

static void at_end(void *value) { printf("destructor %s, plain %d\n", (char *)value, pthread_getspecific(plain) != 0); }

static void *thread(void *arg)
{
  pthread_setspecific(plain, arg);
  pthread_setspecific(seen, "seen");
  return 0;
}

int main(void)
{
  pthread_mutexattr_t kind;
  pthread_mutex_t checking;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checking, &kind);
  printf("wait without the mutex %d\n", pthread_cond_wait(&condition, &checking));

  pthread_attr_t attributes;
  sigset_t mask;
  pthread_attr_init(&attributes);
  sigfillset(&mask);
  int answer = pthread_attr_getsigmask_np(&attributes, &mask);
  printf("no mask %d %d\n", answer, sigismember(&mask, SIGINT));

  printf("the library's own signal %d\n", pthread_kill(pthread_self(), 32));
  printf("no handler %d\n", signal(SIGUSR1, SIG_ERR) == SIG_ERR);
  struct sigaction action = { .sa_handler = SIG_IGN, .sa_flags = 0x100 | SA_RESTART };
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR1, 0, &action);
  printf("flags %d %d\n", (action.sa_flags & 0x100) != 0, (action.sa_flags & SA_RESTART) != 0);

  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR2);
  sigprocmask(SIG_BLOCK, &mask, 0);
  raise(SIGUSR2);
  signal(SIGUSR2, SIG_IGN); /* what waits is gone */
  signal(SIGUSR2, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &mask, 0);
  printf("still there\n");

  pthread_t other;
  pthread_key_create(&plain, 0);
  pthread_key_create(&seen, at_end);
  pthread_key_create(&deleted, 0);
  pthread_setspecific(deleted, "value");
  pthread_key_delete(deleted);
  printf("deleted %d\n", pthread_getspecific(deleted) != 0);
  pthread_create(&other, 0, thread, "value");
  printf("joined %d\n", pthread_timedjoin_np(other, 0, 0));
}
