/* Sets of signals: the first 64 bits of a sigset_t. Two signals are the library's own, and cannot be added or removed. */

static _Bool __raddle_is_signal(int signal)
{
  if (signal >= 1 && signal <= 64)
    return 1;
  __raddle_errno = 22;
  return 0;
}

static _Bool __raddle_is_free_signal(int signal)
{
  if (!__raddle_is_signal(signal))
    return 0;
  if (signal != 32 && signal != 33)
    return 1;
  __raddle_errno = 22;
  return 0;
}

int sigemptyset(unsigned long long *set) { *set = 0; return 0; }

/* All of the object is written here. */
int sigfillset(unsigned long long *set)
{
  set[0] = ~(3ull << 31);
  for (int i = 1; i < 16; i++)
    set[i] = 0;
  return 0;
}

int sigaddset(unsigned long long *set, int signal)
{
  if (!__raddle_is_free_signal(signal))
    return -1;
  *set |= 1ull << (signal - 1);
  return 0;
}

int sigdelset(unsigned long long *set, int signal)
{
  if (!__raddle_is_free_signal(signal))
    return -1;
  *set &= ~(1ull << (signal - 1));
  return 0;
}

int sigismember(const unsigned long long *set, int signal)
{
  if (!__raddle_is_signal(signal))
    return -1;
  return *set >> (signal - 1) & 1;
}

int sigisemptyset(const unsigned long long *set) { return *set == 0; }
int sigandset(unsigned long long *set, const unsigned long long *a, const unsigned long long *b) { *set = *a & *b; return 0; }
int sigorset(unsigned long long *set, const unsigned long long *a, const unsigned long long *b) { *set = *a | *b; return 0; }
