/* Named semaphores. Other processes may have made one of the same name; then nobody knows what they do with it. */

/* One that was unlinked may still be in use: no place is given out again. */
struct __raddle_named { char name[16]; unsigned semaphore[32 / sizeof(unsigned)]; };
static struct __raddle_named __raddle_named[4];
static _Bool __raddle_linked[4];
static unsigned __raddle_namings;

/* Where it stands; `__raddle_namings` if nowhere. */
static unsigned __raddle_find_named(const char *name)
{
  unsigned i = 0;
  while (i < __raddle_namings && !(__raddle_linked[i] && !strncmp(__raddle_named[i].name, name, 16)))
    i++;
  return i;
}

static unsigned *__raddle_make_named(const char *name, unsigned value)
{
  unsigned i = __raddle_namings, at = 0;
  if (i == 4)
    __raddle_gap("more than 4 named semaphores");
  for (; name[at]; at++) {
    if (at == 15)
      __raddle_gap("a semaphore's name with more than 15 characters");
    __raddle_named[i].name[at] = name[at];
  }
  *__raddle_named[i].semaphore = value;
  __raddle_linked[i] = 1;
  __raddle_namings = i + 1;
  return __raddle_named[i].semaphore;
}

/* 64 makes it where it is not there, 128 fails where it is. */
static unsigned *__raddle_open_named(const char *name, int flags, unsigned value)
{
  unsigned place = __raddle_find_named(name);
  _Bool found = place < __raddle_namings, is_there = found || __VERIFIER_nondet_bool();
  if (is_there && (flags & 192) == 192)
    __raddle_errno = 17;
  else if (found)
    return __raddle_named[place].semaphore;
  else if (is_there)
    __raddle_gap("a semaphore of another process");
  else if (!(flags & 64))
    __raddle_errno = 2;
  else if (value > 2147483647)
    __raddle_errno = 22;
  else
    return __raddle_make_named(name, value);
  return 0;
}

void *sem_open(const char *name, int flags, ...)
{
  unsigned value = 0;
  if (flags & 64) {
    __builtin_va_list list;
    __builtin_va_start(list, flags);
    (void)__builtin_va_arg(list, unsigned);
    value = __builtin_va_arg(list, unsigned);
    __builtin_va_end(list);
  }
  __VERIFIER_atomic_begin();
  unsigned *opened = __raddle_open_named(name, flags, value);
  __VERIFIER_atomic_end();
  return opened;
}

int sem_close(void *semaphore) { return 0; }

/* One that another process made may be there, and may belong to somebody else. */
int sem_unlink(const char *name)
{
  __VERIFIER_atomic_begin();
  unsigned place = __raddle_find_named(name);
  _Bool found = place < __raddle_namings;
  if (found)
    __raddle_linked[place] = 0;
  __VERIFIER_atomic_end();
  if (found || __VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = __VERIFIER_nondet_bool() ? 2 : 13;
  return -1;
}
