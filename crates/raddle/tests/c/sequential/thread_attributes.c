// cc: -pthread
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#define TRY(call) do { int status = call; printf("%d %d %d %d %d\n", status, n, (int)size, p.sched_priority, (int)clock); } while (0)
int main(void) {
  pthread_attr_t a;
  pthread_condattr_t c;
  pthread_rwlockattr_t r;
  pthread_barrierattr_t b;
  struct sched_param p = {0};
  int n = 9;
  size_t size = 9;
  clockid_t clock = 9;
  TRY(pthread_attr_init(&a));
  TRY(pthread_attr_getdetachstate(&a, &n));
  TRY(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED));
  TRY(pthread_attr_getdetachstate(&a, &n));
  TRY(pthread_attr_setdetachstate(&a, 7));
  TRY(pthread_attr_getschedpolicy(&a, &n));
  TRY(pthread_attr_setschedpolicy(&a, SCHED_FIFO));
  TRY(pthread_attr_setschedpolicy(&a, 77));
  TRY(pthread_attr_getschedpolicy(&a, &n));
  p.sched_priority = 50;
  TRY(pthread_attr_setschedparam(&a, &p));
  p.sched_priority = 500;
  TRY(pthread_attr_setschedparam(&a, &p));
  TRY(pthread_attr_getschedparam(&a, &p));
  TRY(pthread_attr_getinheritsched(&a, &n));
  TRY(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED));
  TRY(pthread_attr_getinheritsched(&a, &n));
  TRY(pthread_attr_getscope(&a, &n));
  TRY(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS));
  TRY(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM));
  TRY(pthread_attr_getguardsize(&a, &size));
  TRY(pthread_attr_setguardsize(&a, 12345));
  TRY(pthread_attr_getguardsize(&a, &size));
  TRY(pthread_attr_setstacksize(&a, 100));
  TRY(pthread_attr_setstacksize(&a, 65536));
  TRY(pthread_attr_getstacksize(&a, &size));
  TRY(pthread_condattr_init(&c));
  TRY(pthread_condattr_getclock(&c, &clock));
  TRY(pthread_condattr_setclock(&c, CLOCK_MONOTONIC));
  TRY(pthread_condattr_setpshared(&c, 1));
  TRY(pthread_condattr_getclock(&c, &clock));
  TRY(pthread_condattr_getpshared(&c, &n));
  TRY(pthread_rwlockattr_init(&r));
  TRY(pthread_rwlockattr_setpshared(&r, 1));
  TRY(pthread_rwlockattr_setpshared(&r, 2));
  TRY(pthread_rwlockattr_getpshared(&r, &n));
  TRY(pthread_rwlockattr_setkind_np(&r, 2));
  TRY(pthread_rwlockattr_getkind_np(&r, &n));
  TRY(pthread_barrierattr_init(&b));
  TRY(pthread_barrierattr_setpshared(&b, 1));
  TRY(pthread_barrierattr_getpshared(&b, &n));
  TRY(pthread_getconcurrency());
  TRY(pthread_setconcurrency(3));
  TRY(pthread_getconcurrency());
  return 0;
}
