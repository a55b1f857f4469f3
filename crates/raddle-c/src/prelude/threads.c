/* POSIX and C11 threads, as far as lowering does not know them. */

/* ---- condition variables: with spurious wake-ups allowed, waiting is giving the mutex away for a while ---- */

int pthread_cond_init(void *c, const void *attributes) { return 0; }
int pthread_cond_destroy(void *c) { return 0; }
int pthread_cond_signal(void *c) { return 0; }
int pthread_cond_broadcast(void *c) { return 0; }

int pthread_cond_wait(void *c, void *mutex)
{
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return 0;
}

int pthread_cond_timedwait(void *c, void *mutex, const void *until)
{
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return __VERIFIER_nondet_bool() ? 110 : 0;
}

int pthread_cond_clockwait(void *c, void *mutex, int by, const void *until)
{
  return pthread_cond_timedwait(c, mutex, until);
}

int cnd_init(void *c) { return 0; }
void cnd_destroy(void *c) { }
int cnd_signal(void *c) { return 0; }
int cnd_broadcast(void *c) { return 0; }
int cnd_wait(void *c, void *mutex) { return pthread_cond_wait(c, mutex); }
int cnd_timedwait(void *c, void *mutex, const void *until) { return pthread_cond_timedwait(c, mutex, until) ? 4 : 0; }

/* ---- cancellation: nobody cancels, so the states are only kept ---- */

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

int pthread_setcancelstate(int state, int *old) { return __raddle_set_cancel(&__raddle_cancel_state, state, old); }
int pthread_setcanceltype(int type, int *old) { return __raddle_set_cancel(&__raddle_cancel_type, type, old); }

/* ---- mutex attributes: the kind is kept where lowering looks for it ---- */

int pthread_mutexattr_init(void *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_settype(void *a, int kind) { *(int *)a = kind; return 0; }
int pthread_mutexattr_setrobust(void *a, int robust)
{
  if (robust)
    __raddle_gap("robust mutexes");
  return 0;
}
int pthread_mutexattr_gettype(const void *a, int *kind) { *kind = *(const int *)a; return 0; }

/* ---- semaphores: the count is the first int ---- */

int sem_init(void *s, int shared, unsigned value) { *(unsigned *)s = value; return 0; }
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

int sem_timedwait(void *s, const void *until)
{
  if (__VERIFIER_nondet_bool()) {
    __raddle_errno = 110;
    return -1;
  }
  return sem_wait(s);
}

int sem_post(void *s)
{
  __VERIFIER_atomic_begin();
  *(unsigned *)s = *(unsigned *)s + 1;
  __VERIFIER_atomic_end();
  return 0;
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
    run();
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

/* ---- thread-specific values. In a program that makes keys, every thread is started through __raddle_create, so that the destructors
   run when it ends; pthread_exit runs them as well. ---- */

extern int __raddle_start(void *handle, void *attributes, void *(*run)(void *), void *arg);

/* A key is taken from its creation to its deletion. `__raddle_keys` keys were ever taken. */
static unsigned __raddle_keys;
static _Bool __raddle_taken[64];
static void (*__raddle_destructors[64])(void *);
static __thread void *__raddle_values[64];
/* Which creation of the key a value belongs to: the values of a deleted key are gone. */
static unsigned short __raddle_creations[64];
static __thread unsigned short __raddle_owners[64];

extern void *pthread_getspecific(unsigned key);

void __raddle_run_destructors(void)
{
  for (int round = 0; round < 4; round++) {
    int again = 0;
    for (unsigned key = 0; key < __raddle_keys; key++) {
      void *value = pthread_getspecific(key);
      if (value && __raddle_destructors[key]) {
        __raddle_values[key] = 0;
        __raddle_destructors[key](value);
        again = 1;
      }
    }
    if (!again)
      break;
  }
}

struct __raddle_thread { void *(*run)(void *); void *arg; };

static void *__raddle_run(void *thread)
{
  struct __raddle_thread *t = thread;
  void *result = t->run(t->arg);
  __raddle_run_destructors();
  return result;
}

int __raddle_create(void *handle, void *attributes, void *(*run)(void *), void *arg)
{
  struct __raddle_thread *t = malloc(sizeof *t);
  t->run = run;
  t->arg = arg;
  return __raddle_start(handle, attributes, __raddle_run, t);
}

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
  (void)__raddle_create;
  __VERIFIER_atomic_begin();
  unsigned next = 0;
  while (next < __raddle_keys && __raddle_taken[next])
    next++;
  if (next == 64)
    __raddle_gap("more than 64 thread-specific keys at once");
  __raddle_taken[next] = 1;
  if (++__raddle_creations[next] == 0)
    __raddle_gap("more than 65535 creations of a thread-specific key");
  if (next == __raddle_keys)
    __raddle_keys = next + 1;
  __raddle_destructors[next] = destructor;
  __VERIFIER_atomic_end();
  *key = next;
  return 0;
}

int pthread_key_delete(unsigned key)
{
  if (key >= 64 || !__raddle_taken[key])
    return 22;
  __VERIFIER_atomic_begin();
  __raddle_destructors[key] = 0;
  __raddle_taken[key] = 0;
  __VERIFIER_atomic_end();
  return 0;
}

void *pthread_getspecific(unsigned key)
{
  if (key >= 64 || __raddle_owners[key] != __raddle_creations[key])
    return 0;
  return __raddle_values[key];
}

int pthread_setspecific(unsigned key, const void *value)
{
  if (key >= 64 || !__raddle_taken[key])
    return 22;
  __raddle_values[key] = (void *)value;
  __raddle_owners[key] = __raddle_creations[key];
  return 0;
}

int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? 2 : 0; }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
int tss_set(unsigned key, void *value) { return pthread_setspecific(key, value) ? 2 : 0; }
void tss_delete(unsigned key) { pthread_key_delete(key); }

/* ---- detaching changes nothing but when a thread id may be given out again ---- */

int pthread_detach(unsigned long thread) { return 0; }
int thrd_detach(unsigned long thread) { return 0; }
