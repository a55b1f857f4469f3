/* Named semaphores. Other processes may have made one of the same name; then nobody knows what they do with it. */

struct __raddle_named { struct __raddle_named *next; char *name; unsigned *semaphore; };
static struct __raddle_named *__raddle_named;

static struct __raddle_named *__raddle_find_named(const char *name, _Bool takes_out)
{
  struct __raddle_named **from = &__raddle_named, *found = __raddle_named;
  size_t length = strlen(name);
  while (found && strncmp(found->name, name, length + 1)) {
    from = &found->next;
    found = found->next;
  }
  if (found && takes_out)
    *from = found->next;
  return found;
}

static unsigned *__raddle_make_named(const char *name, unsigned value)
{
  struct __raddle_named *made = malloc(sizeof *made);
  size_t size = strlen(name) + 1;
  made->name = malloc(size);
  memcpy(made->name, name, size);
  made->semaphore = malloc(32);
  *made->semaphore = value;
  made->next = __raddle_named;
  __raddle_named = made;
  return made->semaphore;
}

/* 64 makes it where it is not there, 128 fails where it is. */
static unsigned *__raddle_open_named(const char *name, int flags, unsigned value)
{
  struct __raddle_named *found = __raddle_find_named(name, 0);
  _Bool is_there = found || __VERIFIER_nondet_bool();
  if (is_there && (flags & 192) == 192)
    __raddle_errno = 17;
  else if (found)
    return found->semaphore;
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
  struct __raddle_named *found = __raddle_find_named(name, 1);
  __VERIFIER_atomic_end();
  if (found || __VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = __VERIFIER_nondet_bool() ? 2 : 13;
  return -1;
}
