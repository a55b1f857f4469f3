/* Attributes of threads and of what they synchronise by: what is set is kept in the object, and can be asked for. No verdict depends on what they
   mean for scheduling and memory. The values are those of glibc; `lower/attributes.rs` says which ones are refused. */

extern int __raddle_refuses(const char *setter, size_t value);
extern void __raddle_begin_detached(void);
extern void __raddle_end_detached(unsigned long thread);

/* `more` is what else was set: 1 the processors, 2 the signal mask. A thread's attributes as the system tells them (4) do not say whether it is detached. */
struct __raddle_attributes { int detached, inherits, policy, scope, priority, more; size_t guard, room; void *stack; };

int pthread_attr_init(struct __raddle_attributes *a)
{
  a->detached = 0;
  a->inherits = 0;
  a->policy = 0;
  a->scope = 0;
  a->priority = 0;
  a->more = 0;
  a->guard = 4096;
  a->room = 0;
  a->stack = 0;
  return 0;
}

int pthread_attr_destroy(struct __raddle_attributes *a) { return 0; }

/* Before and after a thread is started, in a program that detaches any. */
void __raddle_starts(const struct __raddle_attributes *a)
{
  if (a && a->detached)
    __raddle_begin_detached();
}
void __raddle_started(unsigned long thread, const struct __raddle_attributes *a)
{
  if (a && a->detached)
    __raddle_end_detached(thread);
}

int pthread_attr_setdetachstate(struct __raddle_attributes *a, int detached)
{
  (void)__raddle_starts;
  (void)__raddle_started;
  if (__raddle_refuses("attr_setdetachstate", detached))
    return 22;
  a->detached = detached;
  return 0;
}

int pthread_attr_getdetachstate(const struct __raddle_attributes *a, int *detached)
{
  if (a->more & 4)
    __raddle_gap("whether a thread is detached");
  *detached = a->detached;
  return 0;
}

int pthread_attr_setinheritsched(struct __raddle_attributes *a, int inherits)
{
  if (__raddle_refuses("attr_setinheritsched", inherits))
    return 22;
  a->inherits = inherits;
  return 0;
}

int pthread_attr_getinheritsched(const struct __raddle_attributes *a, int *inherits)
{
  *inherits = a->inherits;
  return 0;
}

int pthread_attr_setschedpolicy(struct __raddle_attributes *a, int policy)
{
  if (__raddle_refuses("attr_setschedpolicy", policy))
    return 22;
  a->policy = policy;
  return 0;
}

int pthread_attr_getschedpolicy(const struct __raddle_attributes *a, int *policy)
{
  *policy = a->policy;
  return 0;
}

int pthread_attr_setschedparam(struct __raddle_attributes *a, const int *priority)
{
  if (a->policy == 0 ? *priority != 0 : *priority < 1 || *priority > 99)
    return 22;
  a->priority = *priority;
  return 0;
}

int pthread_attr_getschedparam(const struct __raddle_attributes *a, int *priority)
{
  *priority = a->priority;
  return 0;
}

int pthread_attr_setscope(struct __raddle_attributes *a, int scope)
{
  int error = __raddle_refuses("attr_setscope", scope);
  if (!error)
    a->scope = scope;
  return error;
}

int pthread_attr_getscope(const struct __raddle_attributes *a, int *scope)
{
  *scope = a->scope;
  return 0;
}

int pthread_attr_setguardsize(struct __raddle_attributes *a, size_t guard)
{
  a->guard = guard;
  return 0;
}

int pthread_attr_getguardsize(const struct __raddle_attributes *a, size_t *guard)
{
  *guard = a->guard;
  return 0;
}

int pthread_attr_setstacksize(struct __raddle_attributes *a, size_t room)
{
  if (__raddle_refuses("attr_setstacksize", room))
    return 22;
  a->room = room;
  return 0;
}

/* Where none is set, the system's limit counts, or what was made the default. */
static struct __raddle_attributes __raddle_default;
static _Bool __raddle_has_default;

static void __raddle_find_default(void)
{
  __VERIFIER_atomic_begin();
  if (!__raddle_has_default) {
    pthread_attr_init(&__raddle_default);
    size_t room = __VERIFIER_nondet_long();
    __VERIFIER_assume(room >= 16384);
    __raddle_default.room = room;
    __raddle_has_default = 1;
  }
  __VERIFIER_atomic_end();
}

int pthread_attr_getstacksize(const struct __raddle_attributes *a, size_t *room)
{
  *room = a->room;
  if (a->room == 0) {
    __raddle_find_default();
    *room = __raddle_default.room;
  }
  return 0;
}

int pthread_getattr_default_np(struct __raddle_attributes *a)
{
  __raddle_find_default();
  *a = __raddle_default;
  return 0;
}

int pthread_setattr_default_np(const struct __raddle_attributes *a)
{
  if (a->stack || a->room && a->room < 16384)
    return 22;
  __raddle_find_default();
  size_t room = __raddle_default.room;
  __raddle_default = *a;
  if (a->room == 0)
    __raddle_default.room = room;
  return 0;
}

/* A stack is known by its end. */
int pthread_attr_setstack(struct __raddle_attributes *a, void *stack, size_t room)
{
  if (__raddle_refuses("attr_setstack", room))
    return 22;
  a->room = room;
  a->stack = (char *)stack + room;
  return 0;
}

int pthread_attr_getstack(const struct __raddle_attributes *a, void **stack, size_t *room)
{
  *stack = (char *)a->stack - a->room;
  *room = a->room;
  return 0;
}

int pthread_attr_setstackaddr(struct __raddle_attributes *a, void *end)
{
  a->stack = end;
  return 0;
}

int pthread_attr_getstackaddr(const struct __raddle_attributes *a, void **end)
{
  *end = a->stack;
  return 0;
}

int pthread_attr_setaffinity_np(struct __raddle_attributes *a, size_t size, const void *processors)
{
  a->more = processors && size ? a->more | 1 : a->more & ~1;
  return 0;
}

int pthread_attr_getaffinity_np(const struct __raddle_attributes *a, size_t size, unsigned char *processors)
{
  if (a->more & 1)
    __raddle_gap("the processors of a thread's attributes");
  for (size_t i = 0; i < size; i++)
    processors[i] = 255;
  return 0;
}

int pthread_attr_setsigmask_np(struct __raddle_attributes *a, const void *mask)
{
  a->more = mask ? a->more | 2 : a->more & ~2;
  return 0;
}

extern void *memset(void *, int, size_t);

int pthread_attr_getsigmask_np(const struct __raddle_attributes *a, void *mask)
{
  if (a->more & 2)
    __raddle_gap("the signal mask of a thread's attributes");
  memset(mask, 0, 128);
  return -1;
}

/* Where the stack lies, nobody knows. */
int pthread_getattr_np(unsigned long thread, struct __raddle_attributes *a)
{
  pthread_attr_init(a);
  a->more = 4;
  size_t room = __VERIFIER_nondet_long();
  __VERIFIER_assume(room >= 16384);
  a->room = room;
  a->guard = __VERIFIER_nondet_long();
  a->stack = (void *)__VERIFIER_nondet_long();
  return 0;
}

/* ---- one value each ---- */

int pthread_condattr_init(int *a) { *a = 0; return 0; }
int pthread_condattr_destroy(int *a) { return 0; }
int pthread_rwlockattr_init(int *a) { a[0] = 0; a[1] = 0; return 0; }
int pthread_rwlockattr_destroy(int *a) { return 0; }
int pthread_barrierattr_init(int *a) { *a = 0; return 0; }
int pthread_barrierattr_destroy(int *a) { return 0; }

int pthread_barrierattr_setpshared(int *a, int shared)
{
  if (__raddle_refuses("barrierattr_setpshared", shared))
    return 22;
  *a = shared;
  return 0;
}
int pthread_barrierattr_getpshared(const int *a, int *shared) { *shared = *a; return 0; }

int pthread_rwlockattr_setpshared(int *a, int shared)
{
  if (__raddle_refuses("rwlockattr_setpshared", shared))
    return 22;
  a[1] = shared;
  return 0;
}
int pthread_rwlockattr_getpshared(const int *a, int *shared) { *shared = a[1]; return 0; }

int pthread_rwlockattr_setkind_np(int *a, int kind)
{
  if (__raddle_refuses("rwlockattr_setkind_np", kind))
    return 22;
  a[0] = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np(const int *a, int *kind) { *kind = a[0]; return 0; }

/* Both values in one int. */
int pthread_condattr_setpshared(int *a, int shared)
{
  if (__raddle_refuses("condattr_setpshared", shared))
    return 22;
  *a = (*a & ~1) | shared;
  return 0;
}
int pthread_condattr_getpshared(const int *a, int *shared) { *shared = *a & 1; return 0; }

int pthread_condattr_setclock(int *a, int by)
{
  if (__raddle_refuses("condattr_setclock", by))
    return 22;
  *a = (*a & 1) | by << 1;
  return 0;
}
int pthread_condattr_getclock(const int *a, int *by) { *by = *a >> 1; return 0; }

/* ---- mutexes: the first byte is the kind, see `threads.c`; then the ceiling, and 16 the protocol, 18 shared. ---- */

static _Bool __raddle_protects;

int pthread_mutexattr_setprotocol(unsigned *a, int protocol)
{
  if (__raddle_refuses("mutexattr_setprotocol", protocol))
    return 22;
  if (protocol == 2)
    __raddle_protects = 1;
  *a = *a & ~(3u << 16) | (unsigned)protocol << 16;
  return 0;
}
int pthread_mutexattr_getprotocol(const unsigned *a, int *protocol) { *protocol = *a >> 16 & 3; return 0; }

int pthread_mutexattr_setpshared(unsigned *a, int shared)
{
  if (__raddle_refuses("mutexattr_setpshared", shared))
    return 22;
  *a = *a & ~(1u << 18) | (unsigned)shared << 18;
  return 0;
}
int pthread_mutexattr_getpshared(const unsigned *a, int *shared) { *shared = *a >> 18 & 1; return 0; }

int pthread_mutexattr_setprioceiling(unsigned *a, int ceiling)
{
  if (__raddle_refuses("mutexattr_setprioceiling", ceiling))
    return 22;
  *a = *a & ~(255u << 8) | (unsigned)ceiling << 8;
  return 0;
}
int pthread_mutexattr_getprioceiling(const unsigned *a, int *ceiling)
{
  int kept = *a >> 8 & 255;
  *ceiling = kept ? kept : 1;
  return 0;
}

/* Only mutexes with that protocol have a ceiling. */
int pthread_mutex_getprioceiling(const void *mutex, int *ceiling)
{
  if (__raddle_protects)
    __raddle_gap("the ceiling of a mutex");
  return 22;
}
int pthread_mutex_setprioceiling(void *mutex, int ceiling, int *old) { return pthread_mutex_getprioceiling(mutex, old); }

/* Nothing is ever forked. */
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }

static int __raddle_concurrency;
int pthread_setconcurrency(int level)
{
  if (__raddle_refuses("setconcurrency", level))
    return 22;
  __raddle_concurrency = level;
  return 0;
}
int pthread_getconcurrency(void) { return __raddle_concurrency; }
