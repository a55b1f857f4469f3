/* Condition variables of a program that is asked for deadlocks: a thread that waits for a signal has to wait until one comes. A wake-up may be spurious as well, but
   nobody can count on that: whether a thread has one is chosen when it begins to wait. So a signal that wakes more than one thread needs no case of its own.

   Each thread that waits has a place, a bit of the first word of the condition: the lower half says which places wait for a signal, the upper half which are taken. A
   thread that was woken has its place until it goes on. */

extern unsigned __VERIFIER_nondet_uint(void);

/* `is_timed`: it may also take too long. */
int __raddle_wait_for_signal(void *c, void *mutex, _Bool is_timed)
{
  unsigned *condition = c, place = 0;
  __VERIFIER_atomic_begin();
  int refused = pthread_mutex_unlock(mutex);
  if (!refused) {
    unsigned open = ~(*condition >> 16) & 0xffff;
    if (!open)
      __raddle_gap("more than 16 threads that wait for a condition, for `no-deadlock`");
    place = open & ~open + 1;
    *condition |= place | place << 16;
  }
  __VERIFIER_atomic_end();
  if (refused)
    return 1;
  _Bool is_late = 0;
  if (is_timed || __VERIFIER_nondet_bool()) {
    __VERIFIER_atomic_begin();
    is_late = is_timed && (*condition & place);
    *condition &= ~(place | place << 16);
    __VERIFIER_atomic_end();
  } else {
    __VERIFIER_atomic_begin();
    unsigned now = *condition;
    __raddle_await((now & place) == 0);
    *condition = now & ~(place << 16);
    __VERIFIER_atomic_end();
  }
  pthread_mutex_lock(mutex);
  return is_late && __VERIFIER_nondet_bool() ? 110 : 0;
}

void __raddle_no_waiter(void *c) { *(unsigned *)c = 0; }

void __raddle_wake_one(void *c)
{
  unsigned *condition = c;
  __VERIFIER_atomic_begin();
  unsigned before = *condition;
  if (before & 0xffff) {
    unsigned which = __VERIFIER_nondet_uint();
    __VERIFIER_assume(which < 16);
    __VERIFIER_assume(before >> which & 1);
    *condition = before & ~(1u << which);
  }
  __VERIFIER_atomic_end();
}

void __raddle_wake_all(void *c)
{
  __VERIFIER_atomic_begin();
  *(unsigned *)c &= 0xffff0000;
  __VERIFIER_atomic_end();
}
