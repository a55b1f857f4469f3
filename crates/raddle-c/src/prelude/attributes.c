/* Attributes of threads and of what they synchronise by: what is set is kept in the object, and can be asked for. No verdict depends on what they
   mean for scheduling and memory. The values are those of glibc. */

struct __raddle_attributes { int detached, inherits, policy, scope, priority; size_t guard, room; void *stack; };

int pthread_attr_init(struct __raddle_attributes *a)
{
  a->detached = 0;
  a->inherits = 0;
  a->policy = 0;
  a->scope = 0;
  a->priority = 0;
  a->guard = 4096;
  a->room = 0;
  a->stack = 0;
  return 0;
}

int pthread_attr_destroy(struct __raddle_attributes *a) { return 0; }

int pthread_attr_setdetachstate(struct __raddle_attributes *a, int detached)
{
  if (detached != 0 && detached != 1)
    return 22;
  a->detached = detached;
  return 0;
}

int pthread_attr_getdetachstate(const struct __raddle_attributes *a, int *detached)
{
  *detached = a->detached;
  return 0;
}

int pthread_attr_setinheritsched(struct __raddle_attributes *a, int inherits)
{
  if (inherits != 0 && inherits != 1)
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
  if (policy < 0 || policy > 2)
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
  if (scope == 1)
    return 95;
  if (scope != 0)
    return 22;
  a->scope = scope;
  return 0;
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
  if (room < 16384)
    return 22;
  a->room = room;
  return 0;
}

/* Where none is set, the system's limit counts. */
int pthread_attr_getstacksize(const struct __raddle_attributes *a, size_t *room)
{
  *room = a->room;
  if (a->room == 0) {
    *room = __VERIFIER_nondet_long();
    __VERIFIER_assume(*room >= 16384);
  }
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
  if (shared != 0 && shared != 1)
    return 22;
  *a = shared;
  return 0;
}
int pthread_barrierattr_getpshared(const int *a, int *shared) { *shared = *a; return 0; }

int pthread_rwlockattr_setpshared(int *a, int shared)
{
  if (shared != 0 && shared != 1)
    return 22;
  a[1] = shared;
  return 0;
}
int pthread_rwlockattr_getpshared(const int *a, int *shared) { *shared = a[1]; return 0; }

int pthread_rwlockattr_setkind_np(int *a, int kind)
{
  if (kind < 0 || kind > 2)
    return 22;
  a[0] = kind;
  return 0;
}
int pthread_rwlockattr_getkind_np(const int *a, int *kind) { *kind = a[0]; return 0; }

/* Both values in one int. */
int pthread_condattr_setpshared(int *a, int shared)
{
  if (shared != 0 && shared != 1)
    return 22;
  *a = (*a & ~1) | shared;
  return 0;
}
int pthread_condattr_getpshared(const int *a, int *shared) { *shared = *a & 1; return 0; }

int pthread_condattr_setclock(int *a, int by)
{
  if (by != 0 && by != 1)
    return 22;
  *a = (*a & 1) | by << 1;
  return 0;
}
int pthread_condattr_getclock(const int *a, int *by) { *by = *a >> 1; return 0; }

/* Nothing is ever forked. */
int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void)) { return 0; }

static int __raddle_concurrency;
int pthread_setconcurrency(int level)
{
  if (level < 0)
    return 22;
  __raddle_concurrency = level;
  return 0;
}
int pthread_getconcurrency(void) { return __raddle_concurrency; }
