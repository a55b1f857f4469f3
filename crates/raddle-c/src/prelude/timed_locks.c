/* Locks that are waited for until some time. What can be had at once is not waited for, and then nobody looks at a mutex's time; glibc checks that of a
   read-write lock first. A wait may take too long whenever it begins. */

/* What the lock answers, or EBUSY where it would have to be waited for. */
extern int __raddle_try_lock(void *);
extern int __raddle_try_wrlock(void *);
extern int __raddle_try_rdlock(void *);
/* What is waited for, where the wait might have taken too long instead. */
extern int __raddle_chosen_lock(void *);
extern int __raddle_chosen_wrlock(void *);
extern int __raddle_chosen_rdlock(void *);

static _Bool __raddle_is_clock(int by) { return by == 0 || by == 1; }

int pthread_mutex_timedlock(void *mutex, const long *until)
{
  int answer = __raddle_try_lock(mutex);
  if (answer != 16)
    return answer;
  if (until[0] >= 0 && !__raddle_is_time(until))
    return 22;
  return __VERIFIER_nondet_bool() ? 110 : __raddle_chosen_lock(mutex);
}

int pthread_mutex_clocklock(void *mutex, int by, const long *until)
{
  return __raddle_is_clock(by) ? pthread_mutex_timedlock(mutex, until) : 22;
}

int mtx_timedlock(void *mutex, const long *until)
{
  int answer = pthread_mutex_timedlock(mutex, until);
  return answer == 0 ? 0 : answer == 110 ? 4 : 2;
}

int pthread_rwlock_timedwrlock(void *lock, const long *until)
{
  if (!__raddle_is_time(until))
    return 22;
  int answer = __raddle_try_wrlock(lock);
  if (answer != 16)
    return answer;
  return __VERIFIER_nondet_bool() ? 110 : __raddle_chosen_wrlock(lock);
}

int pthread_rwlock_clockwrlock(void *lock, int by, const long *until)
{
  return __raddle_is_clock(by) ? pthread_rwlock_timedwrlock(lock, until) : 22;
}

int pthread_rwlock_timedrdlock(void *lock, const long *until)
{
  if (!__raddle_is_time(until))
    return 22;
  int answer = __raddle_try_rdlock(lock);
  if (answer != 16)
    return answer;
  return __VERIFIER_nondet_bool() ? 110 : __raddle_chosen_rdlock(lock);
}

int pthread_rwlock_clockrdlock(void *lock, int by, const long *until)
{
  return __raddle_is_clock(by) ? pthread_rwlock_timedrdlock(lock, until) : 22;
}
