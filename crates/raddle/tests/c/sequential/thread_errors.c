/* What the functions of pthread.h and semaphore.h refuse, and with which error: attributes that nobody asks for afterwards, times, locks that the thread holds. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#define T(call) printf("%d ", call)
static void attributes(int value) {
  pthread_attr_t a;
  pthread_mutexattr_t m;
  pthread_condattr_t c;
  pthread_rwlockattr_t w;
  pthread_barrierattr_t b;
  pthread_attr_init(&a), pthread_mutexattr_init(&m), pthread_condattr_init(&c), pthread_rwlockattr_init(&w), pthread_barrierattr_init(&b);
  printf("%d:", value);
  T(pthread_attr_setscope(&a, value)), T(pthread_attr_setinheritsched(&a, value)), T(pthread_attr_setschedpolicy(&a, value));
  T(pthread_mutexattr_settype(&m, value)), T(pthread_mutexattr_setprotocol(&m, value)), T(pthread_mutexattr_setpshared(&m, value));
  T(pthread_mutexattr_setprioceiling(&m, value)), T(pthread_condattr_setclock(&c, value));
  T(pthread_condattr_setpshared(&c, value)), T(pthread_rwlockattr_setkind_np(&w, value));
  T(pthread_rwlockattr_setpshared(&w, value)), T(pthread_barrierattr_setpshared(&b, value));
  T(pthread_setconcurrency(value)), T(pthread_attr_setstacksize(&a, 16380 + value)), puts("");
}
static void barriers(void) {
  pthread_barrier_t b;
  T(pthread_barrier_init(&b, 0, 0)), T(pthread_barrier_init(&b, 0, 0x7ffffffe));
  T(pthread_barrier_init(&b, 0, 0x7fffffff)), T(pthread_barrier_init(&b, 0, 0x80000000)), puts("");
}
static const struct timespec early = {0, -1}, late = {0, 1000000000}, past = {0, 0};
static void read_write_locks(void) {
  pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
  T(pthread_rwlock_timedwrlock(&w, &late)), T(pthread_rwlock_timedrdlock(&w, &early));
  T(pthread_rwlock_clockwrlock(&w, 2, &past)), T(pthread_rwlock_clockwrlock(&w, CLOCK_MONOTONIC, &past));
  T(pthread_rwlock_wrlock(&w)), T(pthread_rwlock_rdlock(&w));
  T(pthread_rwlock_tryrdlock(&w)), T(pthread_rwlock_trywrlock(&w));
  T(pthread_rwlock_timedrdlock(&w, &past)), T(pthread_rwlock_timedwrlock(&w, &past));
  T(pthread_rwlock_clockrdlock(&w, 0, &past)), T(pthread_rwlock_timedrdlock(&w, &early));
  T(pthread_rwlock_destroy(&w)), T(pthread_rwlock_unlock(&w));
  T(pthread_rwlock_rdlock(&w)), T(pthread_rwlock_tryrdlock(&w)), puts("");
}
static void mutexes(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  mtx_t c11;
  T(pthread_mutex_timedlock(&m, &early)), T(pthread_mutex_timedlock(&m, &late));
  T(pthread_mutex_clocklock(&m, 2, &past)), T(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &late));
  T(pthread_mutex_destroy(&m)), T(pthread_mutex_unlock(&m)), T(pthread_mutex_destroy(&m));
  T(pthread_mutex_timedlock(&checked, &past)), T(pthread_mutex_timedlock(&checked, &past));
  T(pthread_mutex_trylock(&checked)), T(pthread_mutex_destroy(&checked));
  mtx_init(&c11, mtx_timed);
  T(mtx_timedlock(&c11, &late)), T(mtx_timedlock(&c11, &late)), puts("");
}
static void waits(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  cnd_t c11;
  sem_t s;
  pthread_mutex_lock(&m), cnd_init(&c11), sem_init(&s, 0, 1);
  T(pthread_cond_timedwait(&c, &m, &late)), T(pthread_cond_clockwait(&c, &m, 2, &past));
  T(cnd_timedwait(&c11, (mtx_t *)&m, &early)), T(pthread_mutex_trylock(&m));
  T(sem_timedwait(&s, &late));
  T(errno);
  T(sem_clockwait(&s, 2, &past));
  T(sem_timedwait(&s, &past)), puts("");
}
static void *joins_itself(void *handle) {
  void *result;
  T(pthread_join(*(pthread_t *)handle, &result)), T(pthread_tryjoin_np(pthread_self(), &result));
  T(pthread_timedjoin_np(pthread_self(), &result, &past));
  return 0;
}
int main(void) {
  for (int value = -1; value <= 4; value++)
    attributes(value);
  attributes(99), attributes(100);
  barriers(), read_write_locks(), mutexes(), waits();
  pthread_t t;
  pthread_create(&t, 0, joins_itself, &t);
  pthread_join(t, 0);
  T(pthread_join(pthread_self(), 0)), T(thrd_join(thrd_current(), 0)), puts("");
  return 0;
}
