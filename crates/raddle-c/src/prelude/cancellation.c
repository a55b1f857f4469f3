/* pthread_cancel. A thread acts upon a request at a cancellation point: `pthread_exit(PTHREAD_CANCELED)`.

   Lowering calls __raddle_cancel_point at the beginning of functions that are cancellation points, and __raddle_cancel_perhaps of those that may wait, or that
   may be one: there the request may come while the thread waits. Whether it does is chosen before: a thread that waits for a request that never comes
   is a thread that does not step, which changes nothing for the others. */

extern void pthread_exit(void *);
extern void __raddle_wake_all(void *c) __attribute__((weak));
extern int __raddle_create(void *, void *, void *(*)(void *), void *);

/* By handle: is there a request, has the thread ended, does it allow cancellation at any time? */
static _Bool __raddle_requests[16], __raddle_ended[16], __raddle_asynchronous[16];

static unsigned long __raddle_own_index(void)
{
  unsigned long self = __raddle_self();
  if (self >= 16)
    __raddle_gap("pthread_cancel in a program with more than 16 threads");
  return self;
}

static _Bool __raddle_is_requested(void)
{
  unsigned long self = __raddle_own_index();
  __VERIFIER_atomic_begin();
  _Bool is_requested = __raddle_requests[self];
  __VERIFIER_atomic_end();
  return is_requested;
}

static void __raddle_act(void)
{
  pthread_exit((void *)-1);
}

void __raddle_thread_ends(void)
{
  unsigned long self = __raddle_own_index();
  __VERIFIER_atomic_begin();
  __raddle_ended[self] = 1;
  __VERIFIER_atomic_end();
}

void __raddle_cancel_point(void)
{
  if (!__raddle_ends && !__raddle_cancel_state && __raddle_is_requested())
    __raddle_act();
}

static void __raddle_await_request(void)
{
  unsigned long self = __raddle_own_index();
  __VERIFIER_atomic_begin();
  __raddle_await_chosen(__raddle_requests[self]);
  __VERIFIER_atomic_end();
}

void __raddle_cancel_perhaps(void)
{
  if (!__raddle_ends && !__raddle_cancel_state && __VERIFIER_nondet_bool()) {
    __raddle_await_request();
    __raddle_act();
  }
}

/* A thread that waits for a condition has the mutex again when its handlers run. */
void __raddle_cancel_waiting(void *mutex)
{
  if (!__raddle_ends && !__raddle_cancel_state && __VERIFIER_nondet_bool()) {
    __raddle_await_request();
    pthread_mutex_lock(mutex);
    __raddle_act();
  }
}

/* A request that is there already is acted upon when the thread begins to allow it at any time. */
void __raddle_cancel_changed(void)
{
  if (__raddle_ends)
    __raddle_gap("the cancellation state of a thread that ends");
  unsigned long self = __raddle_own_index();
  _Bool at_any_time = !__raddle_cancel_state && __raddle_cancel_type;
  __VERIFIER_atomic_begin();
  __raddle_asynchronous[self] = at_any_time;
  _Bool is_requested = __raddle_requests[self];
  __VERIFIER_atomic_end();
  if (at_any_time && is_requested)
    __raddle_act();
}

void pthread_testcancel(void) { __raddle_cancel_point(); }

int pthread_cancel(unsigned long thread)
{
  (void)__raddle_create;
  (void)__raddle_cancel_point;
  (void)__raddle_cancel_perhaps;
  if (__raddle_wake_all)
    __raddle_gap("`pthread_cancel`, for `no-deadlock`");
  if (thread >= 16)
    __raddle_gap("pthread_cancel in a program with more than 16 threads");
  __VERIFIER_atomic_begin();
  _Bool has_ended = __raddle_ended[thread];
  _Bool at_any_time = __raddle_asynchronous[thread];
  if (!has_ended)
    __raddle_requests[thread] = 1;
  __VERIFIER_atomic_end();
  if (has_ended)
    return __VERIFIER_nondet_bool() ? 3 : 0;
  if (at_any_time) {
    if (thread == __raddle_self() && !__raddle_ends)
      __raddle_act();
    __raddle_gap("the cancellation of a thread at any time");
  }
  return 0;
}
