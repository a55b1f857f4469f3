/* Signal handlers and masks. `raise` calls the handler, or the signal waits until its thread no longer blocks it.

   Once there is a handler, signals may come from outside, at any time. That has no model: it is a gap beside what is modelled, so that violations count
   and nothing is proved. */

extern void __raddle_default_action(int);
extern int raise(int);

/* Null is the default, 1 ignores. */
static void (*__raddle_actions[65])(int);
static int __raddle_action_flags[65];
static unsigned long long __raddle_action_masks[65];
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
  void (*action)(int) = __raddle_actions[signal];
  int flags = __raddle_action_flags[signal];
  unsigned long long more = __raddle_action_masks[signal];
  _Bool is_handler = action && action != (void (*)(int))1;
  if (is_handler && flags & 0x80000000)
    __raddle_actions[signal] = 0;
  __VERIFIER_atomic_end();
  if (!is_handler)
    return action != 0;
  if (flags & 4)
    __raddle_gap("a signal handler with three parameters");
  unsigned long long before = __raddle_blocked;
  if (!(flags & 0x40000000))
    more |= __raddle_signal_bit(signal);
  __raddle_blocked |= more;
  action(signal);
  __raddle_blocked = before;
  return 1;
}

static void __raddle_handle_waiting(void)
{
  int signal = 1;
  while (__raddle_waiting & ~__raddle_blocked) {
    if (__raddle_waiting & ~__raddle_blocked & __raddle_signal_bit(signal)) {
      __raddle_waiting &= ~__raddle_signal_bit(signal);
      if (!__raddle_handle(signal))
        __raddle_default_action(signal);
      signal = 0;
    }
    signal++;
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

static void (*__raddle_set_action(int signal, void (*action)(int), int flags, unsigned long long mask))(int)
{
  (void)__raddle_find_mask;
  __VERIFIER_atomic_begin();
  void (*old)(int) = __raddle_actions[signal];
  __raddle_actions[signal] = action;
  __raddle_action_flags[signal] = flags;
  __raddle_action_masks[signal] = mask;
  __VERIFIER_atomic_end();
  if (action && action != (void (*)(int))1 && __VERIFIER_nondet_bool())
    __raddle_gap("a handled signal that comes from outside, or at any time");
  return old;
}

void *signal(int signal, void (*action)(int))
{
  if (!__raddle_can_be_handled(signal))
    return (void *)-1;
  return __raddle_set_action(signal, action, 0x10000000, __raddle_signal_bit(signal));
}

void *bsd_signal(int number, void (*action)(int)) { return signal(number, action); }
void *ssignal(int number, void (*action)(int)) { return signal(number, action); }
void *__sysv_signal(int signal, void (*action)(int))
{
  if (!__raddle_can_be_handled(signal))
    return (void *)-1;
  return __raddle_set_action(signal, action, 0xc0000000, 0);
}
void *sysv_signal(int number, void (*action)(int)) { return __sysv_signal(number, action); }
int sigignore(int number) { return signal(number, (void (*)(int))1) == (void *)-1 ? -1 : 0; }

struct __raddle_sigaction { void (*action)(int); unsigned long mask[128 / sizeof(long)]; int flags; void (*restorer)(void); };

int sigaction(int signal, const struct __raddle_sigaction *new, struct __raddle_sigaction *old)
{
  if (!__raddle_can_be_handled(signal))
    return -1;
  void (*action)(int) = __raddle_actions[signal];
  int flags = __raddle_action_flags[signal];
  unsigned long long mask = __raddle_action_masks[signal];
  if (new)
    action = __raddle_set_action(signal, new->action, new->flags, *(const unsigned long long *)new->mask);
  if (old) {
    old->action = action;
    old->flags = flags;
    *(unsigned long long *)old->mask = mask;
  }
  return 0;
}

/* ---- masks ---- */

int pthread_sigmask(int how, const unsigned long long *set, unsigned long long *old)
{
  __raddle_find_mask();
  unsigned long long before = __raddle_blocked;
  if (set) {
    /* Nobody can block SIGKILL and SIGSTOP, nor the library's own. */
    unsigned long long given = *set & ~(1ull << 8 | 1ull << 18 | 3ull << 31);
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
  if (signal < 0 || signal > 64)
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
