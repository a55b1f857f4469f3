/* POSIX and C11 threads, as far as lowering does not know them. */

/* ---- condition variables: with spurious wake-ups allowed, waiting is giving the mutex away for a while ---- */

/* Only for `no-deadlock`: see `conditions.c`. */
extern int __raddle_wait_for_signal(void *c, void *mutex, _Bool is_timed) __attribute__((weak));
extern void __raddle_no_waiter(void *c) __attribute__((weak));
extern void __raddle_wake_one(void *c) __attribute__((weak));
extern void __raddle_wake_all(void *c) __attribute__((weak));

int pthread_cond_init(void *c, const void *attributes)
{
  if (__raddle_no_waiter)
    __raddle_no_waiter(c);
  return 0;
}

int pthread_cond_destroy(void *c) { return 0; }

int pthread_cond_signal(void *c)
{
  if (__raddle_wake_one)
    __raddle_wake_one(c);
  return 0;
}

int pthread_cond_broadcast(void *c)
{
  if (__raddle_wake_all)
    __raddle_wake_all(c);
  return 0;
}

/* Only where mutexes have kinds: one that checks refuses to be given away by a thread that does not have it. */
extern int __raddle_give_away(void *mutex) __attribute__((weak));

int pthread_cond_wait(void *c, void *mutex)
{
  if (__raddle_wait_for_signal)
    return __raddle_wait_for_signal(c, mutex, 0);
  if (!__raddle_give_away)
    pthread_mutex_unlock(mutex);
  else if (__raddle_give_away(mutex))
    return 1;
  __raddle_cancel_waiting(mutex);
  pthread_mutex_lock(mutex);
  return 0;
}

/* A `struct timespec` with a second or more in its nanoseconds is none. */
_Bool __raddle_is_time(const void *until)
{
  long nanoseconds = ((const long *)until)[1];
  return nanoseconds >= 0 && nanoseconds < 1000000000;
}

int pthread_cond_timedwait(void *c, void *mutex, const void *until)
{
  if (!__raddle_is_time(until))
    return 22;
  if (__raddle_wait_for_signal)
    return __raddle_wait_for_signal(c, mutex, 1);
  if (!__raddle_give_away)
    pthread_mutex_unlock(mutex);
  else if (__raddle_give_away(mutex))
    return 1;
  __raddle_cancel_waiting(mutex);
  pthread_mutex_lock(mutex);
  return __VERIFIER_nondet_bool() ? 110 : 0;
}

int pthread_cond_clockwait(void *c, void *mutex, int by, const void *until)
{
  return by == 0 || by == 1 ? pthread_cond_timedwait(c, mutex, until) : 22;
}

int cnd_init(void *c) { return pthread_cond_init(c, 0); }
void cnd_destroy(void *c) { }
int cnd_signal(void *c) { return pthread_cond_signal(c); }
int cnd_broadcast(void *c) { return pthread_cond_broadcast(c); }
int cnd_wait(void *c, void *mutex) { return pthread_cond_wait(c, mutex); }
int cnd_timedwait(void *c, void *mutex, const void *until)
{
  int answer = pthread_cond_timedwait(c, mutex, until);
  return answer == 0 ? 0 : answer == 110 ? 4 : 2;
}

/* ---- cancellation: where nobody cancels, the states are only kept; otherwise see `cancellation.c` ---- */

static __thread int __raddle_cancel_state, __raddle_cancel_type;

static int __raddle_set_cancel(int *kept, int value, int *old)
{
  if (value != 0 && value != 1)
    return 22;
  if (old)
    *old = *kept;
  *kept = value;
  return 0;
}

int pthread_setcancelstate(int state, int *old)
{
  int answer = __raddle_set_cancel(&__raddle_cancel_state, state, old);
  __raddle_cancel_changed();
  return answer;
}

int pthread_setcanceltype(int type, int *old)
{
  int answer = __raddle_set_cancel(&__raddle_cancel_type, type, old);
  __raddle_cancel_changed();
  return answer;
}

/* ---- mutex attributes: the kind is kept where lowering looks for it ---- */

int pthread_mutexattr_init(void *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_settype(void *a, int kind)
{
  if (kind < 0 || kind > 3)
    return 22;
  *(unsigned *)a = *(unsigned *)a & ~255u | (unsigned)kind;
  return 0;
}
int pthread_mutexattr_gettype(const void *a, int *kind) { *kind = *(const unsigned *)a & 255; return 0; }

int pthread_mutexattr_setrobust(void *a, int robust)
{
  if (robust == 1)
    __raddle_gap("robust mutexes");
  return robust ? 22 : 0;
}
int pthread_mutexattr_setrobust_np(void *a, int robust) { return pthread_mutexattr_setrobust(a, robust); }
int pthread_mutexattr_getrobust(const void *a, int *robust) { *robust = 0; return 0; }
int pthread_mutexattr_getrobust_np(const void *a, int *robust) { *robust = 0; return 0; }
/* No mutex is robust. */
int pthread_mutex_consistent(void *mutex) { return 22; }
int pthread_mutex_consistent_np(void *mutex) { return 22; }

/* ---- semaphores: the count is the first int ---- */

int sem_init(void *s, int shared, unsigned value)
{
  if (value > 2147483647) {
    __raddle_errno = 22;
    return -1;
  }
  *(unsigned *)s = value;
  return 0;
}

int sem_destroy(void *s) { return 0; }

int sem_wait(void *s)
{
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  __raddle_await(value > 0);
  *(unsigned *)s = value - 1;
  __VERIFIER_atomic_end();
  return 0;
}

int sem_trywait(void *s)
{
  int answer = -1;
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  if (value > 0) {
    *(unsigned *)s = value - 1;
    answer = 0;
  }
  __VERIFIER_atomic_end();
  if (answer)
    __raddle_errno = 11;
  return answer;
}

/* What can be had at once is not waited for. */
int sem_timedwait(void *s, const void *until)
{
  if (!__raddle_is_time(until)) {
    __raddle_errno = 22;
    return -1;
  }
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  if (value > 0)
    *(unsigned *)s = value - 1;
  __VERIFIER_atomic_end();
  if (value > 0)
    return 0;
  if (__VERIFIER_nondet_bool()) {
    __raddle_errno = 110;
    return -1;
  }
  __VERIFIER_atomic_begin();
  value = *(unsigned *)s;
  __raddle_await_chosen(value > 0);
  *(unsigned *)s = value - 1;
  __VERIFIER_atomic_end();
  return 0;
}

int sem_clockwait(void *s, int by, const void *until)
{
  if (by != 0 && by != 1) {
    __raddle_errno = 22;
    return -1;
  }
  return sem_timedwait(s, until);
}

int sem_post(void *s)
{
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  _Bool fits = value < 2147483647;
  if (fits)
    *(unsigned *)s = value + 1;
  __VERIFIER_atomic_end();
  if (fits)
    return 0;
  __raddle_errno = 75;
  return -1;
}

int sem_getvalue(void *s, int *value)
{
  __VERIFIER_atomic_begin();
  int count = *(int *)s;
  __VERIFIER_atomic_end();
  *value = count;
  return 0;
}

/* ---- barriers: how many take part, how many have come, and the round ---- */

int pthread_barrier_init(void *b, const void *attributes, unsigned count)
{
  unsigned *state = b;
  if (count == 0 || count >= 0x7fffffff)
    return 22;
  state[0] = count;
  state[1] = 0;
  state[2] = 0;
  return 0;
}

int pthread_barrier_destroy(void *b) { return 0; }

int pthread_barrier_wait(void *b)
{
  unsigned *state = b;
  __VERIFIER_atomic_begin();
  unsigned round = state[2];
  unsigned come = state[1] + 1;
  if (come == state[0]) {
    state[1] = 0;
    state[2] = round + 1;
    __VERIFIER_atomic_end();
    return -1;
  }
  state[1] = come;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __raddle_await(state[2] != round);
  __VERIFIER_atomic_end();
  return 0;
}

/* ---- once: 0 not begun, 1 running, 2 done ---- */

int pthread_once(int *once, void (*run)(void))
{
  __VERIFIER_atomic_begin();
  int state = *once;
  if (state == 0)
    *once = 1;
  __VERIFIER_atomic_end();
  if (state == 0) {
    __raddle_once_begins();
    run();
    __raddle_once_ends();
    __VERIFIER_atomic_begin();
    *once = 2;
    __VERIFIER_atomic_end();
  } else if (state == 1) {
    __VERIFIER_atomic_begin();
    __raddle_await(*once == 2);
    __VERIFIER_atomic_end();
  }
  return 0;
}

void call_once(int *once, void (*run)(void)) { pthread_once(once, run); }

/* ---- joins that do not wait for ever: no thread is known to have ended before it is joined ---- */

extern int __raddle_join(unsigned long thread, void **result);
extern int __raddle_join_chosen(unsigned long thread, void **result);

int pthread_tryjoin_np(unsigned long thread, void **result)
{
  if (thread == __raddle_self() || __VERIFIER_nondet_bool())
    return 16;
  return __raddle_join_chosen(thread, result);
}

int pthread_timedjoin_np(unsigned long thread, void **result, const long *until)
{
  if (!until || thread == __raddle_self())
    return __raddle_join(thread, result);
  if (__VERIFIER_nondet_bool())
    return until[1] < 0 || until[1] > 999999999 ? 22 : 110;
  return __raddle_join_chosen(thread, result);
}

int pthread_clockjoin_np(unsigned long thread, void **result, int by, const long *until)
{
  if (by != 0 && by != 1)
    return 22;
  return pthread_timedjoin_np(thread, result, until);
}

/* ---- threads whose end is seen to: pthread_create is __raddle_create in a program that makes keys or cancels ---- */

extern int __raddle_start(void *handle, void *attributes, void *(*run)(void *), void *arg);

struct __raddle_thread { void *(*run)(void *); void *arg; };

static void *__raddle_run(void *thread)
{
  struct __raddle_thread *t = thread;
  void *result = t->run(t->arg);
  __raddle_run_destructors();
  __raddle_thread_ends();
  return result;
}

int __raddle_create(void *handle, void *attributes, void *(*run)(void *), void *arg)
{
  struct __raddle_thread *t = malloc(sizeof *t);
  t->run = run;
  t->arg = arg;
  return __raddle_start(handle, attributes, __raddle_run, t);
}
