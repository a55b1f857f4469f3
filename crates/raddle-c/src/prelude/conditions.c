/* Condition variables of a program that is asked for deadlocks: a thread that waits for a signal has to wait until one comes. The first word of a condition is the set of
   threads that wait for it, by handle. A wake-up may be spurious as well, but nobody can count on that: whether a thread has one is chosen when it begins to wait. So
   a signal that wakes more than one thread needs no case of its own. */

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned __raddle_own_bit(void)
{
  unsigned long self = __raddle_self();
  if (self >= 32)
    __raddle_gap("a condition variable in a program with more than 32 threads, for `no-deadlock`");
  return 1u << self;
}

/* `is_timed`: it may also take too long. */
int __raddle_wait_for_signal(void *c, void *mutex, _Bool is_timed)
{
  unsigned *waiting = c, self = __raddle_own_bit();
  __VERIFIER_atomic_begin();
  int refused = pthread_mutex_unlock(mutex);
  if (!refused)
    *waiting |= self;
  __VERIFIER_atomic_end();
  if (refused)
    return 1;
  _Bool is_late = 0;
  if (is_timed || __VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    is_late = is_timed && (*waiting & self);
    *waiting &= ~self;
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    __raddle_await((*waiting & self) == 0);
    __VERIFIER_atomic_end();
  }
  pthread_mutex_lock(mutex);
  return is_late && __VERIFIER_nondet_bool() ? 110 : 0;
}

void __raddle_wake_one(void *c)
{
  unsigned *waiting = c;
  __VERIFIER_atomic_begin();
  unsigned before = *waiting;
  if (before) {
    unsigned which = __VERIFIER_nondet_uint();
    __VERIFIER_assume(which < 32);
    __VERIFIER_assume(before >> which & 1);
    *waiting = before & ~(1u << which);
  }
  __VERIFIER_atomic_end();
}

void __raddle_wake_all(void *c)
{
  __VERIFIER_atomic_begin();
  *(unsigned *)c = 0;
  __VERIFIER_atomic_end();
}
