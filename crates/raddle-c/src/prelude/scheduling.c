/* Scheduling: policies and priorities of threads, processors, names. No verdict depends on what they mean; who may set them depends on the system. */

static _Bool __raddle_is_realtime(int policy) { return policy == 1 || policy == 2; }

static _Bool __raddle_fits(int policy, int priority)
{
  if (__raddle_is_realtime(policy))
    return priority >= 1 && priority <= 99;
  return (policy == 0 || policy == 3 || policy == 5) && priority == 0;
}

/* A later kernel has one policy more. */
static int __raddle_priority_limit(int policy, int limit)
{
  if (__raddle_is_realtime(policy))
    return limit;
  if (policy == 0 || policy == 3 || policy == 5 || policy == 6 || policy == 7 && __VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = 22;
  return -1;
}

int sched_get_priority_min(int policy) { return __raddle_priority_limit(policy, 1); }
int sched_get_priority_max(int policy) { return __raddle_priority_limit(policy, 99); }

/* By handle: the policy plus 1, or 0 where nobody has asked or set it: then it is any. */
static unsigned char __raddle_policies[16], __raddle_priorities[16];

static void __raddle_find_policy(unsigned long thread)
{
  if (thread >= 16)
    __raddle_gap("the scheduling of more than 16 threads");
  if (__raddle_policies[thread])
    return;
  unsigned char policy = __VERIFIER_nondet_uchar(), priority = 0;
  __VERIFIER_assume(policy <= 5 && policy != 4);
  if (__raddle_is_realtime(policy)) {
    priority = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(priority >= 1 && priority <= 99);
  }
  __raddle_policies[thread] = policy + 1;
  __raddle_priorities[thread] = priority;
}

int pthread_getschedparam(unsigned long thread, int *policy, int *priority)
{
  __VERIFIER_atomic_begin();
  __raddle_find_policy(thread);
  int p = __raddle_policies[thread] - 1, q = __raddle_priorities[thread];
  __VERIFIER_atomic_end();
  *policy = p;
  *priority = q;
  return 0;
}

/* What is set already is allowed; other settings need a privilege. */
static int __raddle_set_policy(unsigned long thread, int policy, int priority)
{
  int answer = 0;
  if (!__raddle_fits(policy, priority))
    return 22;
  __VERIFIER_atomic_begin();
  __raddle_find_policy(thread);
  if (policy != __raddle_policies[thread] - 1 || priority != __raddle_priorities[thread]) {
    if (__VERIFIER_nondet_bool()) {
      answer = 1;
    } else {
      __raddle_policies[thread] = policy + 1;
      __raddle_priorities[thread] = priority;
    }
  }
  __VERIFIER_atomic_end();
  return answer;
}

int pthread_setschedparam(unsigned long thread, int policy, const int *priority)
{
  return __raddle_set_policy(thread, policy & ~0x40000000, *priority);
}

int pthread_setschedprio(unsigned long thread, int priority)
{
  int policy, old;
  pthread_getschedparam(thread, &policy, &old);
  return __raddle_set_policy(thread, policy, priority);
}

static void __raddle_needs_itself(int process)
{
  if (process != 0)
    __raddle_gap("the scheduling of other processes");
}

int sched_getscheduler(int process)
{
  int policy, priority;
  __raddle_needs_itself(process);
  pthread_getschedparam(__raddle_self(), &policy, &priority);
  return policy;
}

int sched_getparam(int process, int *priority)
{
  int policy;
  __raddle_needs_itself(process);
  return pthread_getschedparam(__raddle_self(), &policy, priority);
}

static int __raddle_failure(int answer)
{
  if (answer == 0)
    return 0;
  __raddle_errno = answer;
  return -1;
}

int sched_setscheduler(int process, int policy, const int *priority)
{
  __raddle_needs_itself(process);
  return __raddle_failure(pthread_setschedparam(__raddle_self(), policy, priority));
}

int sched_setparam(int process, const int *priority)
{
  __raddle_needs_itself(process);
  return __raddle_failure(pthread_setschedprio(__raddle_self(), *priority));
}

int sched_rr_get_interval(int process, long *interval)
{
  __raddle_needs_itself(process);
  long seconds = __VERIFIER_nondet_long(), nanoseconds = __VERIFIER_nondet_long();
  __VERIFIER_assume(seconds >= 0 && nanoseconds >= 0 && nanoseconds < 1000000000);
  interval[0] = seconds;
  interval[1] = nanoseconds;
  return 0;
}

/* ---- processors: some, as long as nobody sets them ---- */

static _Bool __raddle_sets_processors;

int sched_getcpu(void)
{
  int processor = __VERIFIER_nondet_int();
  __VERIFIER_assume(processor >= 0);
  return processor;
}

int getcpu(unsigned *processor, unsigned *node)
{
  if (processor)
    *processor = sched_getcpu();
  if (node)
    *node = sched_getcpu();
  return 0;
}

int pthread_getaffinity_np(unsigned long thread, size_t size, unsigned char *processors)
{
  if (__raddle_sets_processors)
    __raddle_gap("the processors of a thread, where somebody sets them");
  if (size == 0 || size < 128 && __VERIFIER_nondet_bool())
    return 22;
  unsigned char some = 0;
  for (size_t i = 0; i < size; i++) {
    unsigned char these = __VERIFIER_nondet_uchar();
    processors[i] = these;
    some |= these;
  }
  __VERIFIER_assume(some != 0);
  return 0;
}

/* None of them may be there. */
int pthread_setaffinity_np(unsigned long thread, size_t size, const void *processors)
{
  __raddle_sets_processors = 1;
  return __VERIFIER_nondet_bool() ? 22 : 0;
}

int sched_getaffinity(int process, size_t size, unsigned char *processors)
{
  __raddle_needs_itself(process);
  return __raddle_failure(pthread_getaffinity_np(__raddle_self(), size, processors));
}

int sched_setaffinity(int process, size_t size, const void *processors)
{
  __raddle_needs_itself(process);
  return __raddle_failure(pthread_setaffinity_np(__raddle_self(), size, processors));
}

/* What the macros of sched.h call. */
int __sched_cpucount(size_t size, const unsigned char *set)
{
  int count = 0;
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit++)
      count += set[i] >> bit & 1;
  return count;
}
void *__sched_cpualloc(size_t count) { return malloc((count + 63) / 64 * 8); }
void __sched_cpufree(void *set) { free(set); }

/* ---- names: of at most 15 characters; a thread has one already ---- */

static char __raddle_names[16][16];
static _Bool __raddle_is_named[16];

int pthread_setname_np(unsigned long thread, const char *name)
{
  size_t length = strlen(name);
  if (length > 15)
    return 34;
  if (thread >= 16)
    __raddle_gap("names of more than 16 threads");
  for (size_t i = 0; i <= length; i++)
    __raddle_names[thread][i] = name[i];
  __raddle_is_named[thread] = 1;
  return 0;
}

int pthread_getname_np(unsigned long thread, char *name, size_t size)
{
  if (size < 16)
    return 34;
  if (thread >= 16)
    __raddle_gap("names of more than 16 threads");
  if (!__raddle_is_named[thread]) {
    __raddle_any_text(__raddle_names[thread], 16);
    __raddle_is_named[thread] = 1;
  }
  size_t i = 0;
  while ((name[i] = __raddle_names[thread][i]) != 0)
    i++;
  return 0;
}

/* The clock of a thread has a negative number, of which the last bits are the same for all. */
int pthread_getcpuclockid(unsigned long thread, int *id)
{
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number < 0 && (number & 7) == 6);
  *id = number;
  return 0;
}
