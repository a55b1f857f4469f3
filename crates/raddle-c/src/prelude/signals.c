/* Signal handlers and masks. `raise` calls the handler, or the signal waits until its thread no longer blocks it.

   Once there is a handler, signals may come from outside, at any time. That has no model: it is a gap beside what is modelled, so that violations count
   and nothing is proved. */

extern void __raddle_default_action(int);
extern int raise(int);

/* Null is the default, 1 ignores. */
struct __raddle_action { void (*handler)(int); int flags; unsigned long long mask; };
static struct __raddle_action __raddle_actions[65];
/* Some thread has blocked signals: those that it starts inherit this. */
static _Bool __raddle_has_blocked;
static __thread unsigned long long __raddle_blocked, __raddle_waiting;
static __thread _Bool __raddle_knows_mask;

static unsigned long long __raddle_signal_bit(int signal) { return 1ull << (signal - 1); }

extern void __raddle_jump_saves(void **, int);
extern void __raddle_jump_restores(void **);

static void __raddle_find_mask(void)
{
  (void)__raddle_jump_saves;
  (void)__raddle_jump_restores;
  if (!__raddle_knows_mask && __raddle_self() != 0 && __raddle_has_blocked)
    __raddle_gap("the signal mask that a thread inherits");
  __raddle_knows_mask = 1;
}

/* False: there is no handler. */
static _Bool __raddle_handle(int signal)
{
  __VERIFIER_atomic_begin();
  struct __raddle_action action = __raddle_actions[signal];
  _Bool is_handler = action.handler && action.handler != (void (*)(int))1;
  if (is_handler && action.flags & 0x80000000)
    __raddle_actions[signal].handler = 0;
  __VERIFIER_atomic_end();
  if (!is_handler)
    return action.handler != 0;
  if (action.flags & 4)
    __raddle_gap("a signal handler with three parameters");
  unsigned long long before = __raddle_blocked;
  __raddle_blocked |= action.mask;
  if (!(action.flags & 0x40000000))
    __raddle_blocked |= __raddle_signal_bit(signal);
  action.handler(signal);
  __raddle_blocked = before;
  return 1;
}

/* Of several, the order is not specified, and Linux lets the handlers of some begin inside those of others. */
static void __raddle_handle_waiting(void)
{
  unsigned long long open = __raddle_waiting & ~__raddle_blocked;
  while (open) {
    if (open & open - 1)
      __raddle_gap("several signals that wait");
    int signal = __builtin_ctzll(open) + 1;
    __raddle_waiting &= ~open;
    if (!__raddle_handle(signal))
      __raddle_default_action(signal);
    open = __raddle_waiting & ~__raddle_blocked;
  }
}

/* True: nothing is left to be done. */
_Bool __raddle_signal(int signal)
{
  if (signal == 0)
    return 1;
  __raddle_find_mask();
  if (__raddle_blocked & __raddle_signal_bit(signal)) {
    if (signal > 31 && __raddle_waiting & __raddle_signal_bit(signal))
      __raddle_gap("signals that queue");
    __raddle_waiting |= __raddle_signal_bit(signal);
    return 1;
  }
  if (!__raddle_handle(signal))
    return 0;
  __raddle_handle_waiting();
  return 1;
}

static _Bool __raddle_can_be_handled(int signal)
{
  if (signal >= 1 && signal <= 64 && signal != 9 && signal != 19 && signal != 32 && signal != 33)
    return 1;
  __raddle_errno = 22;
  return 0;
}

/* Nobody can block SIGKILL and SIGSTOP, nor the library's own. */
static unsigned long long __raddle_can_be_blocked(unsigned long long set) { return set & ~(1ull << 8 | 1ull << 18 | 3ull << 31); }

/* What was before. x86's library sets one flag more, and the system forgets those that it does not know. */
static struct __raddle_action __raddle_set_action(int signal, void (*handler)(int), int flags, unsigned long long mask)
{
  (void)__raddle_find_mask;
  mask = __raddle_can_be_blocked(mask);
  __VERIFIER_atomic_begin();
  struct __raddle_action old = __raddle_actions[signal];
  __raddle_actions[signal].handler = handler;
  __raddle_actions[signal].flags = (flags & 0xdc000807) | 0x04000000;
  __raddle_actions[signal].mask = mask;
  __VERIFIER_atomic_end();
  /* What is ignored does not wait. By default, so are the signals of children and of urgent data, and those of windows. */
  if (handler == (void (*)(int))1 || !handler && (signal == 17 || signal == 23 || signal == 28))
    __raddle_waiting &= ~__raddle_signal_bit(signal);
  if (handler && handler != (void (*)(int))1)
    __raddle_gap_beside("a handled signal that comes from outside, or at any time");
  return old;
}

void *signal(int signal, void (*handler)(int))
{
  if (!__raddle_can_be_handled(signal))
    return (void *)-1;
  if (handler == (void (*)(int))-1) {
    __raddle_errno = 22;
    return handler;
  }
  return __raddle_set_action(signal, handler, 0x10000000, __raddle_signal_bit(signal)).handler;
}

void *bsd_signal(int number, void (*handler)(int)) { return signal(number, handler); }
void *ssignal(int number, void (*handler)(int)) { return signal(number, handler); }
void *__sysv_signal(int signal, void (*handler)(int))
{
  if (!__raddle_can_be_handled(signal))
    return (void *)-1;
  return __raddle_set_action(signal, handler, 0xc0000000, 0).handler;
}
void *sysv_signal(int number, void (*handler)(int)) { return __sysv_signal(number, handler); }
int sigignore(int signal)
{
  if (!__raddle_can_be_handled(signal))
    return -1;
  __raddle_set_action(signal, (void (*)(int))1, 0, 0);
  return 0;
}

struct __raddle_sigaction { void (*handler)(int); unsigned long mask[128 / sizeof(long)]; int flags; void (*restorer)(void); };

int sigaction(int signal, const struct __raddle_sigaction *new, struct __raddle_sigaction *old)
{
  if (!__raddle_can_be_handled(signal))
    return -1;
  struct __raddle_action before;
  if (new) {
    before = __raddle_set_action(signal, new->handler, new->flags, *(const unsigned long long *)new->mask);
  } else {
    __VERIFIER_atomic_begin();
    before = __raddle_actions[signal];
    __VERIFIER_atomic_end();
  }
  if (old) {
    old->handler = before.handler;
    old->flags = before.flags;
    *(unsigned long long *)old->mask = before.mask;
  }
  return 0;
}

/* ---- masks ---- */

int pthread_sigmask(int how, const unsigned long long *set, unsigned long long *old)
{
  __raddle_find_mask();
  unsigned long long before = __raddle_blocked;
  if (set) {
    unsigned long long given = __raddle_can_be_blocked(*set);
    if (how < 0 || how > 2)
      return 22;
    __raddle_blocked = how == 0 ? before | given : how == 1 ? before & ~given : given;
    if (__raddle_blocked)
      __raddle_has_blocked = 1;
  }
  if (old)
    *old = before;
  __raddle_handle_waiting();
  return 0;
}

int sigprocmask(int how, const unsigned long long *set, unsigned long long *old)
{
  int answer = pthread_sigmask(how, set, old);
  if (answer == 0)
    return 0;
  __raddle_errno = answer;
  return -1;
}

static int __raddle_change_mask(int how, int signal)
{
  if (!__raddle_can_be_handled(signal))
    return -1;
  unsigned long long set = __raddle_signal_bit(signal);
  return sigprocmask(how, &set, 0);
}

int sighold(int signal) { return __raddle_change_mask(0, signal); }
int sigrelse(int signal) { return __raddle_change_mask(1, signal); }

/* To a thread itself; another one would get it at any time. */
int pthread_kill(unsigned long thread, int signal)
{
  if (signal < 0 || signal > 64 || signal == 32 || signal == 33)
    return 22;
  if (thread == __raddle_self()) {
    raise(signal);
    return 0;
  }
  if (signal != 0 || __VERIFIER_nondet_bool())
    __raddle_gap("a signal to a thread that goes on, or has ended");
  return 0;
}

/* ---- sigsetjmp keeps the mask where it is asked to, in words of the buffer that setjmp does not use ---- */

void __raddle_jump_saves(void **buffer, int saves)
{
  __raddle_find_mask();
  buffer[6] = (void *)(long)(saves != 0);
  *(unsigned long long *)(buffer + 8) = __raddle_blocked;
}

void __raddle_jump_restores(void **buffer)
{
  if (buffer[6]) {
    __raddle_blocked = *(unsigned long long *)(buffer + 8);
    __raddle_handle_waiting();
  }
}
