/* Library functions that C itself can say. Lowered with the program; what the program defines itself is left out here, and
   what it does not use is dropped. Types are spelled so that they agree with the library's in width. Functions without a body
   whose names begin with __raddle_ or __VERIFIER_ are known to lowering. */

typedef __SIZE_TYPE__ size_t;
typedef unsigned char __raddle_byte;

extern void __raddle_await(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void _exit(int);
extern void __VERIFIER_assume(int);
extern void *malloc(size_t);
extern void free(void *);
extern size_t __raddle_object_size(void *);
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

int posix_memalign(void **memory, size_t alignment, size_t n)
{
  *memory = malloc(n);
  return 0;
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

static char *__raddle_token;

char *strtok_r(char *s, const char *set, char **rest)
{
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return end == s ? 0 : s;
}

char *strtok(char *s, const char *set) { return strtok_r(s, set, &__raddle_token); }

void *realloc(void *old, size_t size)
{
  size_t had = __raddle_object_size(old);
  void *new = malloc(size);
  memcpy(new, old, had < size ? had : size);
  free(old);
  return new;
}

void *reallocarray(void *old, size_t count, size_t size)
{
  return realloc(old, count * size);
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
int isgraph(int c) { return c > 32 && c < 127; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

/* What glibc's <ctype.h> looks into, for characters from -128 on; the bits are those of its `_ISupper` and so on. */
static const unsigned short __raddle_classes[384] = {
  [128 ... 136] = 0x0002, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x0002, [160] = 0x6001,
  [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004, [193 ... 198] = 0xd508, [199 ... 218] = 0xc508,
  [219 ... 224] = 0xc004, [225 ... 230] = 0xd608, [231 ... 250] = 0xc608, [251 ... 254] = 0xc004, [255] = 0x0002,
};
static const unsigned short *__raddle_classes_from_zero = __raddle_classes + 128;
const unsigned short **__ctype_b_loc(void) { return &__raddle_classes_from_zero; }

int strncasecmp(const char *a, const char *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    int x = tolower((__raddle_byte)a[i]), y = tolower((__raddle_byte)b[i]);
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, -1); }

static int __raddle_digit(char c)
{
  return isdigit(c) ? c - '0' : islower(c) ? c - 'a' + 10 : isupper(c) ? c - 'A' + 10 : 36;
}

/* The absolute value of the number that a text begins with, at most the largest there is. */
static unsigned long long __raddle_number(const char *s, char **end, int base, int *negative)
{
  unsigned long long value = 0, most = -1;
  const char *at = s, *digits;
  *negative = 0;
  while (isspace(*at))
    at++;
  if (*at == '-' || *at == '+')
    *negative = *at++ == '-';
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __raddle_digit(at[2]) < 16) {
    at += 2;
    base = 16;
  } else if (base == 0)
    base = *at == '0' ? 8 : 10;
  digits = at;
  for (int digit; (digit = __raddle_digit(*at)) < base; at++)
    value = value > (most - digit) / base ? most : value * base + digit;
  if (end)
    *end = (char *)(at == digits ? s : at);
  return value;
}

static long long __raddle_signed(unsigned long long value, int negative, unsigned long long most)
{
  return negative ? (long long)-(value > most ? most + 1 : value) : (long long)(value > most ? most : value);
}

long long strtoll(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return __raddle_signed(value, negative, -1ull / 2);
}

long strtol(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return __raddle_signed(value, negative, -1ul / 2);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return negative && value != -1ull ? -value : value;
}

unsigned long strtoul(const char *s, char **end, int base)
{
  int negative;
  unsigned long long value = __raddle_number(s, end, base, &negative);
  return value > -1ul ? -1ul : negative && value != -1ull ? -value : value;
}

/* As by strtol, but simpler: these are in many programs. */
long long atoll(const char *s)
{
  long long value = 0;
  int negative = 0;
  while (isspace(*s))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  while (isdigit(*s))
    value = value * 10 + (*s++ - '0');
  return negative ? -value : value;
}

long atol(const char *s) { return atoll(s); }
int atoi(const char *s) { return atoll(s); }

typedef struct { int quot, rem; } __raddle_div;
typedef struct { long quot, rem; } __raddle_ldiv;
typedef struct { long long quot, rem; } __raddle_lldiv;
__raddle_div div(int a, int b) { return (__raddle_div){a / b, a % b}; }
__raddle_ldiv ldiv(long a, long b) { return (__raddle_ldiv){a / b, a % b}; }
__raddle_lldiv lldiv(long long a, long long b) { return (__raddle_lldiv){a / b, a % b}; }

double modf(double x, double *whole)
{
  *whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x);
}

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

/* ---- sorting and searching ---- */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  __raddle_byte *items = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      __raddle_byte *a = items + (j - 1) * size, *b = a + size;
      if (compare(a, b) <= 0)
        break;
      for (size_t k = 0; k < size; k++) {
        __raddle_byte byte = a[k];
        a[k] = b[k];
        b[k] = byte;
      }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  const __raddle_byte *items = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(key, items + middle * size);
    if (order == 0)
      return (void *)(items + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
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

int pthread_cond_clockwait(void *c, void *mutex, int clock, const void *time)
{
  return pthread_cond_timedwait(c, mutex, time);
}

int cnd_init(void *c) { return 0; }
void cnd_destroy(void *c) { }
int cnd_signal(void *c) { return 0; }
int cnd_broadcast(void *c) { return 0; }
int cnd_wait(void *c, void *mutex) { return pthread_cond_wait(c, mutex); }
int cnd_timedwait(void *c, void *mutex, const void *time) { return pthread_cond_timedwait(c, mutex, time) ? 4 : 0; }

/* ---- cancellation: nobody cancels, so the states are only kept ---- */

static __thread int __raddle_cancel_state, __raddle_cancel_type;

static int __raddle_set_cancel(int *kept, int value, int *old)
{
  if (value != 0 && value != 1)
    return 22;
  if (old)
    *old = *kept;
  *kept = value;
  return 0;
}

int pthread_setcancelstate(int state, int *old) { return __raddle_set_cancel(&__raddle_cancel_state, state, old); }
int pthread_setcanceltype(int type, int *old) { return __raddle_set_cancel(&__raddle_cancel_type, type, old); }

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
  if (answer)
    __raddle_errno = 11;
  return answer;
}

int sem_timedwait(void *s, const void *time)
{
  if (__VERIFIER_nondet_bool()) {
    __raddle_errno = 110;
    return -1;
  }
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
