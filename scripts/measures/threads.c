/* The environment of a program with threads under ThreadSanitizer: random inputs (seed in RADDLE_SEED), random delays around the operations of threads and locks, and atomic sections as one recursive mutex.
   Linked with --wrap for the wrapped functions. Everything is weak: what the program defines itself counts. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

static unsigned long long seed;
static __thread unsigned long long state;

static unsigned long long draw(void)
{
  if (state == 0) {
    const char *text = getenv("RADDLE_SEED");
    state = ((text ? strtoull(text, 0, 10) : 1) + 1) * 0x9E3779B97F4A7C15ULL ^ __atomic_fetch_add(&seed, 0xD1B54A32D192ED03ULL, __ATOMIC_RELAXED);
  }
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static void delay(void)
{
  unsigned long long dice = draw() % 8;
  if (dice < 3)
    usleep(draw() % 300);
  else if (dice == 3)
    usleep(draw() % 5000);
}

static long long any(void)
{
  switch (draw() % 8) {
  case 0: return draw();
  case 1: return (int)draw();
  case 2: case 3: return (long long)(draw() % 14) - 3;
  default: return draw() % 3;
  }
}

#define INPUT(type, name) WEAK type __VERIFIER_nondet_##name(void) { return (type)any(); }
INPUT(int, int) INPUT(long, long) INPUT(short, short) INPUT(char, char) INPUT(unsigned, uint) INPUT(unsigned, unsigned) INPUT(unsigned, u32) INPUT(unsigned long, ulong) INPUT(unsigned char, uchar)
INPUT(unsigned char, u8) INPUT(unsigned short, ushort) INPUT(unsigned short, u16) INPUT(long long, longlong) INPUT(unsigned long long, ulonglong) INPUT(unsigned long, size_t) INPUT(unsigned, unsigned_int)
INPUT(unsigned long, loff_t) INPUT(float, float) INPUT(double, double)
WEAK _Bool __VERIFIER_nondet_bool(void) { return any() & 1; }
WEAK _Bool __VERIFIER_nondet__Bool(void) { return any() & 1; }
WEAK void *__VERIFIER_nondet_pointer(void) { return 0; }

/* A path that is not taken. What was seen before counts. */
WEAK void __VERIFIER_assume(int holds)
{
  if (!holds)
    _exit(97);
}

WEAK void reach_error(void) { abort(); }
WEAK void __VERIFIER_error(void) { abort(); }

static pthread_mutex_t atomic = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

WEAK void __VERIFIER_atomic_begin(void)
{
  delay();
  pthread_mutex_lock(&atomic);
}
WEAK void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&atomic); }

/* Functions with names that begin with __VERIFIER_atomic_ are atomic sections: -finstrument-functions tells where they begin and end. The build makes the table. */
extern void *const raddle_atomic_functions[];

static int is_atomic(void *function)
{
  for (int i = 0; raddle_atomic_functions[i]; i++)
    if (raddle_atomic_functions[i] == function)
      return 1;
  return 0;
}

void __cyg_profile_func_enter(void *function, void *caller)
{
  if (is_atomic(function))
    __VERIFIER_atomic_begin();
}
void __cyg_profile_func_exit(void *function, void *caller)
{
  if (is_atomic(function))
    __VERIFIER_atomic_end();
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_join(pthread_t, void **);

struct start { void *(*function)(void *); void *argument; };

static void *begin(void *given)
{
  struct start start = *(struct start *)given;
  free(given);
  delay();
  return start.function(start.argument);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
  struct start *start = malloc(sizeof *start);
  start->function = function;
  start->argument = argument;
  int result = __real_pthread_create(thread, attributes, begin, start);
  delay();
  return result;
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
  delay();
  return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
  int result = __real_pthread_mutex_unlock(mutex);
  delay();
  return result;
}

int __wrap_pthread_join(pthread_t thread, void **value)
{
  delay();
  return __real_pthread_join(thread, value);
}
