/* What comes from outside: random numbers, time, signals, errno. */

int rand(void)
{
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

long random(void) { return rand(); }

long time(long *seconds)
{
  long now = __VERIFIER_nondet_long();
  if (seconds)
    *seconds = now;
  return now;
}

int gettimeofday(long *time, void *zone)
{
  time[0] = __VERIFIER_nondet_long();
  time[1] = __VERIFIER_nondet_long();
  return 0;
}

int clock_gettime(int clock, long *time) { return gettimeofday(time, 0); }

static __thread int __raddle_errno;
int *__errno_location(void) { return &__raddle_errno; }

/* The sign of gamma, of `lgamma`. */
int signgam;
int *__raddle_signgam(void) { return &signgam; }

/* Nothing handles signals: they end the program, but for those that are ignored. */
int raise(int signal)
{
  if (signal < 0 || signal > 64) {
    __raddle_errno = 22;
    return -1;
  }
  if (signal != 0 && signal != 17 && signal != 18 && signal != 23 && signal != 28)
    _exit(128 + signal);
  return 0;
}

void __VERIFIER_nondet_memory(void *memory, size_t n)
{
  __raddle_byte *m = memory;
  for (size_t i = 0; i < n; i++)
    m[i] = __VERIFIER_nondet_uchar();
}
