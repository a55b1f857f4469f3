/* Library functions that C itself can say. Lowered with the program; what the program defines itself is left out here, and
   what it does not use is dropped. Types are spelled so that they agree with the library's in width. Functions without a body
   whose names begin with __raddle_ or __VERIFIER_ are known to lowering. */

typedef __SIZE_TYPE__ size_t;
typedef unsigned char __raddle_byte;

extern void __raddle_await(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(size_t);
extern int pthread_mutex_lock(void *);
extern int pthread_mutex_unlock(void *);

/* ---- memory and strings ---- */

void *memcpy(void *to, const void *from, size_t n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  for (size_t i = 0; i < n; i++)
    t[i] = f[i];
  return to;
}

void *mempcpy(void *to, const void *from, size_t n)
{
  return (__raddle_byte *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  if (t <= f)
    for (size_t i = 0; i < n; i++)
      t[i] = f[i];
  else
    for (size_t i = n; i > 0; i--)
      t[i - 1] = f[i - 1];
  return to;
}

void *memset(void *to, int value, size_t n)
{
  __raddle_byte *t = to;
  for (size_t i = 0; i < n; i++)
    t[i] = (__raddle_byte)value;
  return to;
}

void bzero(void *to, size_t n)
{
  memset(to, 0, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
  const __raddle_byte *p = a, *q = b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y)
      return x - y;
  }
  return 0;
}

void *memchr(const void *in, int value, size_t n)
{
  const __raddle_byte *p = in;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (__raddle_byte)value)
      return (void *)(p + i);
  return 0;
}

size_t strlen(const char *s)
{
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

char *strcpy(char *to, const char *from)
{
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to;
}

char *stpcpy(char *to, const char *from)
{
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t n)
{
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from)
{
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n)
{
  char *t = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    t[i] = from[i];
  t[i] = 0;
  return to;
}

int strcmp(const char *a, const char *b)
{
  const __raddle_byte *p = (const __raddle_byte *)a, *q = (const __raddle_byte *)b;
  for (size_t i = 0;; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y || !x)
      return x - y;
  }
}

int strncmp(const char *a, const char *b, size_t n)
{
  const __raddle_byte *p = (const __raddle_byte *)a, *q = (const __raddle_byte *)b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

char *strchr(const char *s, int c)
{
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strchrnul(const char *s, int c)
{
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strrchr(const char *s, int c)
{
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

size_t strspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set)
{
  s += strcspn(s, set);
  return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *part)
{
  size_t n = strlen(part);
  for (;; s++) {
    if (!strncmp(s, part, n))
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  return memcpy(malloc(n), s, n);
}

char *strndup(const char *s, size_t most)
{
  size_t n = strnlen(s, most);
  char *copy = malloc(n + 1);
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

/* ---- characters and numbers ---- */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= 32 && c < 127; }
int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c); }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

int atoi(const char *s)
{
  int value = 0, negative = 0;
  while (isspace(*s))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  while (isdigit(*s))
    value = value * 10 + (*s++ - '0');
  return negative ? -value : value;
}

/* ---- condition variables: with spurious wake-ups allowed, waiting is giving the mutex away for a while ---- */

int pthread_cond_init(void *c, const void *attributes) { return 0; }
int pthread_cond_destroy(void *c) { return 0; }
int pthread_cond_signal(void *c) { return 0; }
int pthread_cond_broadcast(void *c) { return 0; }

int pthread_cond_wait(void *c, void *mutex)
{
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return 0;
}

int pthread_cond_timedwait(void *c, void *mutex, const void *time)
{
  pthread_mutex_unlock(mutex);
  pthread_mutex_lock(mutex);
  return __VERIFIER_nondet_bool() ? 110 : 0;
}

int cnd_init(void *c) { return 0; }
void cnd_destroy(void *c) { }
int cnd_signal(void *c) { return 0; }
int cnd_broadcast(void *c) { return 0; }
int cnd_wait(void *c, void *mutex) { return pthread_cond_wait(c, mutex); }
int cnd_timedwait(void *c, void *mutex, const void *time) { return pthread_cond_timedwait(c, mutex, time) ? 4 : 0; }

/* ---- mutex attributes: the kind is kept where lowering looks for it ---- */

int pthread_mutexattr_init(void *a) { *(int *)a = 0; return 0; }
int pthread_mutexattr_settype(void *a, int kind) { *(int *)a = kind; return 0; }
int pthread_mutexattr_gettype(const void *a, int *kind) { *kind = *(const int *)a; return 0; }

/* ---- semaphores: the count is the first int ---- */

int sem_init(void *s, int shared, unsigned value) { *(unsigned *)s = value; return 0; }
int sem_destroy(void *s) { return 0; }

int sem_wait(void *s)
{
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  __raddle_await(value > 0);
  *(unsigned *)s = value - 1;
  __VERIFIER_atomic_end();
  return 0;
}

int sem_trywait(void *s)
{
  int answer = -1;
  __VERIFIER_atomic_begin();
  unsigned value = *(unsigned *)s;
  if (value > 0) {
    *(unsigned *)s = value - 1;
    answer = 0;
  }
  __VERIFIER_atomic_end();
  return answer;
}

int sem_timedwait(void *s, const void *time)
{
  if (__VERIFIER_nondet_bool())
    return -1;
  return sem_wait(s);
}

int sem_post(void *s)
{
  __VERIFIER_atomic_begin();
  *(unsigned *)s = *(unsigned *)s + 1;
  __VERIFIER_atomic_end();
  return 0;
}

int sem_getvalue(void *s, int *value)
{
  __VERIFIER_atomic_begin();
  int count = *(int *)s;
  __VERIFIER_atomic_end();
  *value = count;
  return 0;
}

/* ---- barriers: how many take part, how many have come, and the round ---- */

int pthread_barrier_init(void *b, const void *attributes, unsigned count)
{
  unsigned *state = b;
  state[0] = count;
  state[1] = 0;
  state[2] = 0;
  return 0;
}

int pthread_barrier_destroy(void *b) { return 0; }

int pthread_barrier_wait(void *b)
{
  unsigned *state = b;
  __VERIFIER_atomic_begin();
  unsigned round = state[2];
  unsigned come = state[1] + 1;
  if (come == state[0]) {
    state[1] = 0;
    state[2] = round + 1;
    __VERIFIER_atomic_end();
    return -1;
  }
  state[1] = come;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  __raddle_await(state[2] != round);
  __VERIFIER_atomic_end();
  return 0;
}

/* ---- once: 0 not begun, 1 running, 2 done ---- */

int pthread_once(int *once, void (*run)(void))
{
  __VERIFIER_atomic_begin();
  int state = *once;
  if (state == 0)
    *once = 1;
  __VERIFIER_atomic_end();
  if (state == 0) {
    run();
    __VERIFIER_atomic_begin();
    *once = 2;
    __VERIFIER_atomic_end();
  } else if (state == 1) {
    __VERIFIER_atomic_begin();
    __raddle_await(*once == 2);
    __VERIFIER_atomic_end();
  }
  return 0;
}

void call_once(int *once, void (*run)(void)) { pthread_once(once, run); }

/* ---- thread-specific values. In a program that makes keys, every thread is started through __raddle_create, so that the destructors
   run when it ends; pthread_exit runs them as well. ---- */

extern int __raddle_start(void *handle, void *attributes, void *(*run)(void *), void *arg);

static unsigned __raddle_keys;
static void (*__raddle_destructors[64])(void *);
static __thread void *__raddle_values[64];

void __raddle_run_destructors(void)
{
  for (int round = 0; round < 4; round++) {
    int again = 0;
    for (unsigned key = 0; key < __raddle_keys; key++) {
      void *value = __raddle_values[key];
      if (value && __raddle_destructors[key]) {
        __raddle_values[key] = 0;
        __raddle_destructors[key](value);
        again = 1;
      }
    }
    if (!again)
      break;
  }
}

struct __raddle_thread { void *(*run)(void *); void *arg; };

static void *__raddle_run(void *thread)
{
  struct __raddle_thread *t = thread;
  void *result = t->run(t->arg);
  __raddle_run_destructors();
  return result;
}

int __raddle_create(void *handle, void *attributes, void *(*run)(void *), void *arg)
{
  struct __raddle_thread *t = malloc(sizeof *t);
  t->run = run;
  t->arg = arg;
  return __raddle_start(handle, attributes, __raddle_run, t);
}

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
  (void)__raddle_create;
  __VERIFIER_atomic_begin();
  unsigned next = __raddle_keys;
  __raddle_keys = next + 1;
  __VERIFIER_atomic_end();
  if (next >= 64)
    return 11;
  __raddle_destructors[next] = destructor;
  *key = next;
  return 0;
}

int pthread_key_delete(unsigned key) { __raddle_destructors[key] = 0; return 0; }
void *pthread_getspecific(unsigned key) { return __raddle_values[key]; }
int pthread_setspecific(unsigned key, const void *value) { __raddle_values[key] = (void *)value; return 0; }
int tss_create(unsigned *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor) ? 2 : 0; }
void *tss_get(unsigned key) { return __raddle_values[key]; }
int tss_set(unsigned key, void *value) { __raddle_values[key] = value; return 0; }
void tss_delete(unsigned key) { __raddle_destructors[key] = 0; }
