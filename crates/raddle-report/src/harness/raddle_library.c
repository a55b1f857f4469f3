/* The functions of the library that order threads, allocate or end the program, in the meaning that the recording has of them: the linker's --wrap leads calls here.

   Which thread comes first at a lock is in the events, and so is what the lock answered; its holder is kept to see that no two threads have it. A wait on a condition
   gives the mutex away for a while: it may wake up spuriously. Semaphores, barriers and once flags keep their state in their first bytes. */
#include "raddle_runtime.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PC __builtin_return_address(0)

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_attr_init(pthread_attr_t *);
int __real_pthread_attr_setstacksize(pthread_attr_t *, size_t);
int __real_pthread_join(pthread_t, void **);
void __real_pthread_exit(void *) __attribute__((noreturn));
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);

/* ---- locks ---- */

static struct lock { const void *at; int holder, depth; } locks[4096];

static struct lock *lock_at(const void *at)
{
  struct lock *lock = locks;
  while (lock->at && lock->at != at && lock < locks + 4095)
    lock++;
  lock->at = at;
  return lock;
}

static int acquire(const void *at, void *pc, int is_shared)
{
  const struct raddle_event *event = raddle_point(RADDLE_ACQUIRE, at, 1, pc);
  int result = event ? event->result : 0;
  if (result == 0 && !is_shared && raddle_threads > 1) {
    struct lock *lock = lock_at(at);
    if (lock->depth && lock->holder != raddle_self)
      raddle_diverged("a lock is held by another thread");
    lock->holder = raddle_self;
    lock->depth++;
  }
  return result;
}

static int release(const void *at, void *pc)
{
  const struct raddle_event *event = raddle_point(RADDLE_RELEASE, at, 1, pc);
  int result = event ? event->result : 0;
  struct lock *lock = lock_at(at);
  if (result == 0 && lock->depth && lock->holder == raddle_self)
    lock->depth--;
  return result;
}

static int fresh(const void *at)
{
  if (raddle_threads > 1)
    lock_at(at)->depth = 0;
  return 0;
}

/* What may be had, or may be waited for in vain. */
static int acquire_in_time(const void *at, void *pc, int is_shared)
{
  int answer = acquire(at, pc, is_shared);
  if (answer != EBUSY)
    return answer;
  return raddle_input(RADDLE_CHOICE, pc) ? ETIMEDOUT : acquire(at, pc, is_shared);
}

#define LOCK_FAMILY(family) \
  int __wrap_pthread_##family##_init(void *at, void *attributes) { return fresh(at); } \
  int __wrap_pthread_##family##_destroy(void *at) { return fresh(at); } \
  int __wrap_pthread_##family##_unlock(void *at) { return release(at, PC); }
LOCK_FAMILY(mutex)
LOCK_FAMILY(rwlock)
LOCK_FAMILY(spin)
int __wrap_pthread_mutex_lock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_mutex_trylock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_mutex_timedlock(void *at, void *until) { return acquire_in_time(at, PC, 0); }
int __wrap_pthread_spin_lock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_spin_trylock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_rwlock_wrlock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_rwlock_trywrlock(void *at) { return acquire(at, PC, 0); }
int __wrap_pthread_rwlock_timedwrlock(void *at, void *until) { return acquire_in_time(at, PC, 0); }
int __wrap_pthread_rwlock_rdlock(void *at) { return acquire(at, PC, 1); }
int __wrap_pthread_rwlock_tryrdlock(void *at) { return acquire(at, PC, 1); }
int __wrap_pthread_rwlock_timedrdlock(void *at, void *until) { return acquire_in_time(at, PC, 1); }

int __wrap_mtx_init(void *at, int type) { return fresh(at); }
void __wrap_mtx_destroy(void *at) { fresh(at); }
/* thrd_busy is 1, thrd_error 2. */
static int mtx_answer(int answer) { return answer == 0 ? 0 : answer == EBUSY ? 1 : answer == ETIMEDOUT ? 4 : 2; }
int __wrap_mtx_lock(void *at) { return mtx_answer(acquire(at, PC, 0)); }
int __wrap_mtx_trylock(void *at) { return mtx_answer(acquire(at, PC, 0)); }
int __wrap_mtx_timedlock(void *at, void *until) { return mtx_answer(acquire_in_time(at, PC, 0)); }
int __wrap_mtx_unlock(void *at) { return mtx_answer(release(at, PC)); }

/* ---- conditions ---- */

static int wait(void *mutex, void *pc)
{
  release(mutex, pc);
  return acquire(mutex, pc, 0);
}

int __wrap_pthread_cond_init(void *c, void *attributes) { return 0; }
int __wrap_pthread_cond_destroy(void *c) { return 0; }
int __wrap_pthread_cond_signal(void *c) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_pthread_cond_broadcast(void *c) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_pthread_cond_wait(void *c, void *mutex) { return wait(mutex, PC), 0; }
int __wrap_pthread_cond_timedwait(void *c, void *mutex, void *until)
{
  wait(mutex, PC);
  return raddle_input(RADDLE_CHOICE, PC) ? ETIMEDOUT : 0;
}
int __wrap_cnd_init(void *c) { return 0; }
void __wrap_cnd_destroy(void *c) { }
int __wrap_cnd_signal(void *c) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_cnd_broadcast(void *c) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_cnd_wait(void *c, void *mutex) { return wait(mutex, PC), 0; }

/* ---- semaphores, barriers, once flags ---- */

/* The widest state is that of a barrier. */
static void step(const void *at, void *pc) { raddle_point(RADDLE_SYNC, at, 12, pc); }

int __wrap_sem_init(unsigned *s, int shared, unsigned value)
{
  step(s, PC);
  *s = value;
  return 0;
}
int __wrap_sem_destroy(void *s) { return 0; }
int __wrap_sem_wait(unsigned *s)
{
  step(s, PC);
  if (*s == 0)
    raddle_diverged("a semaphore is 0");
  --*s;
  return 0;
}
int __wrap_sem_trywait(unsigned *s)
{
  step(s, PC);
  if (*s == 0)
    return errno = EAGAIN, -1;
  --*s;
  return 0;
}
int __wrap_sem_timedwait(unsigned *s, void *until)
{
  int waits = raddle_input(RADDLE_CHOICE, PC);
  step(s, PC);
  if (!waits)
    return errno = ETIMEDOUT, -1;
  if (*s == 0)
    raddle_diverged("a semaphore is 0");
  --*s;
  return 0;
}
int __wrap_sem_post(unsigned *s)
{
  step(s, PC);
  ++*s;
  return 0;
}
int __wrap_sem_getvalue(unsigned *s, int *value)
{
  step(s, PC);
  *value = *s;
  return 0;
}

/* How many take part, how many have come, and the round. */
int __wrap_pthread_barrier_init(unsigned *b, void *attributes, unsigned count)
{
  step(b, PC);
  b[0] = count;
  b[1] = b[2] = 0;
  return 0;
}
int __wrap_pthread_barrier_destroy(void *b) { return 0; }
int __wrap_pthread_barrier_wait(unsigned *b)
{
  step(b, PC);
  unsigned round = b[2];
  if (++b[1] == b[0]) {
    b[1] = 0;
    b[2]++;
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  step(b, PC);
  if (b[2] == round)
    raddle_diverged("not all have come to a barrier");
  return 0;
}

static int once(int *flag, void (*run)(void), void *pc)
{
  step(flag, pc);
  int state = *flag;
  if (state == 0) {
    *flag = 1;
    run();
    step(flag, pc);
    *flag = 2;
  } else if (state == 1)
    step(flag, pc);
  return 0;
}
int __wrap_pthread_once(int *flag, void (*run)(void)) { return once(flag, run, PC); }
void __wrap_call_once(int *flag, void (*run)(void)) { once(flag, run, PC); }

/* ---- threads ---- */

struct start { int number; void *(*run)(void *); int (*run_c11)(void *); void *argument; };

static void *run(void *argument)
{
  struct start *start = argument;
  raddle_enter(start->number);
  void *result = start->run ? start->run(start->argument) : (void *)(intptr_t)start->run_c11(start->argument);
  raddle_end();
  return result;
}

/* The library writes a handle or a result: an access like others. */
static void put(void *to, const void *value, size_t size, void *pc)
{
  if (!to)
    return;
  raddle_point(RADDLE_WRITE, to, size, pc);
  memcpy(to, value, size);
}

static int create(pthread_t *handle, struct start how, void *pc)
{
  static int created;
  pthread_t thread = (pthread_t)1;
  const struct raddle_event *event = raddle_point(RADDLE_CREATE, 0, 0, pc);
  created++;
  how.number = event ? event->result : created;
  if (raddle_has_turn(how.number)) {
    pthread_attr_t attributes;
    struct start *start = __real_malloc(sizeof *start);
    *start = how;
    __real_pthread_attr_init(&attributes);
    __real_pthread_attr_setstacksize(&attributes, raddle_threads > 200 ? 256 << 10 : 64 << 20);
    if (__real_pthread_create(&thread, &attributes, run, start) != 0)
      raddle_diverged("a thread cannot be created");
  }
  put(handle, &thread, sizeof thread, pc);
  return 0;
}

int __wrap_pthread_create(pthread_t *handle, void *attributes, void *(*run)(void *), void *argument)
{
  return create(handle, (struct start){ .run = run, .argument = argument }, PC);
}
int __wrap_thrd_create(pthread_t *handle, int (*run)(void *), void *argument)
{
  return create(handle, (struct start){ .run_c11 = run, .argument = argument }, PC);
}

static int join(pthread_t handle, void **result, void *pc)
{
  void *value = 0;
  raddle_point(RADDLE_JOIN, 0, 0, pc);
  int answer = __real_pthread_join(handle, &value);
  put(result, &value, sizeof value, pc);
  return answer;
}
int __wrap_pthread_join(pthread_t handle, void **result) { return join(handle, result, PC); }
int __wrap_thrd_join(pthread_t handle, int *result)
{
  void *value = 0;
  int answer = join(handle, &value, PC);
  if (result)
    *result = (intptr_t)value;
  return answer ? 2 : 0;
}
void __wrap_pthread_exit(void *result)
{
  raddle_end();
  __real_pthread_exit(result);
}
void __wrap_thrd_exit(int result)
{
  raddle_end();
  __real_pthread_exit((void *)(intptr_t)result);
}
int __wrap_pthread_detach(pthread_t handle) { return 0; }
int __wrap_thrd_detach(pthread_t handle) { return 0; }

/* Attributes are as large as the headers of the recording say: nobody writes to them. */
#define ATTRIBUTE(name) \
  int __wrap_pthread_##name() { return 0; }
ATTRIBUTE(attr_init)
ATTRIBUTE(attr_destroy)
ATTRIBUTE(attr_setdetachstate)
ATTRIBUTE(attr_setscope)
ATTRIBUTE(attr_setstacksize)
ATTRIBUTE(attr_setschedpolicy)
ATTRIBUTE(attr_setschedparam)
ATTRIBUTE(attr_setinheritsched)
ATTRIBUTE(mutexattr_init)
ATTRIBUTE(mutexattr_destroy)
ATTRIBUTE(mutexattr_settype)
ATTRIBUTE(mutexattr_setpshared)
ATTRIBUTE(mutexattr_setprotocol)
ATTRIBUTE(condattr_init)
ATTRIBUTE(condattr_destroy)
ATTRIBUTE(condattr_setclock)
ATTRIBUTE(condattr_setpshared)
ATTRIBUTE(rwlockattr_init)
ATTRIBUTE(rwlockattr_destroy)
ATTRIBUTE(barrierattr_init)
ATTRIBUTE(barrierattr_destroy)
ATTRIBUTE(setconcurrency)

/* Nobody sleeps: whose turn it is says the recording. */
unsigned __wrap_sleep(unsigned seconds) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_usleep(unsigned microseconds) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_nanosleep(void *time, void *rest) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_sched_yield(void) { return raddle_point(-1, 0, 0, PC), 0; }
int __wrap_pthread_yield(void) { return raddle_point(-1, 0, 0, PC), 0; }
void __wrap_thrd_yield(void) { raddle_point(-1, 0, 0, PC); }
int __wrap_thrd_sleep(void *time, void *rest) { return raddle_point(-1, 0, 0, PC), 0; }

/* ---- memory: objects are told apart by the number of their allocation; nothing is given out again ---- */

static void *allocated(size_t size, int is_zeroed)
{
  static __thread int number;
  raddle_point(-1, 0, 0, 0);
  unsigned char *memory = __real_calloc(size + 16, 1);
  int mine = number++;
  for (int i = 0; memory && raddle_self >= 0 && i < raddle_object_count; i++) {
    const struct raddle_object *object = &raddle_objects[i];
    if (object->storage != RADDLE_HEAP || object->thread != raddle_self || object->number != mine)
      continue;
    raddle_bases[i] = (uintptr_t)memory;
    raddle_sizes[i] = size;
  }
  if (memory && !is_zeroed && raddle_has_uninitialised)
    memset(memory, RADDLE_NOTHING, size);
  return memory;
}
void *__wrap_malloc(size_t size) { return allocated(size, 0); }
void *__wrap_calloc(size_t count, size_t size) { return allocated(count * size, 1); }
void *__wrap_realloc(void *memory, size_t size) { return raddle_point(-1, 0, 0, 0), __real_realloc(memory, size); }
void __wrap_free(void *memory) { raddle_point(-1, 0, 0, 0); }

/* ---- copies, byte by byte: others may come between ---- */

static unsigned char get(const void *at, void *pc)
{
  raddle_point(RADDLE_READ, at, 1, pc);
  return *(const unsigned char *)at;
}
static void set(void *at, int byte, void *pc)
{
  raddle_point(RADDLE_WRITE, at, 1, pc);
  *(unsigned char *)at = byte;
}
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
  for (size_t i = 0; i < size; i++)
    set((char *)to + i, get((const char *)from + i, PC), PC);
  return to;
}
void *__wrap_memmove(void *to, const void *from, size_t size)
{
  if ((uintptr_t)to <= (uintptr_t)from)
    return __wrap_memcpy(to, from, size);
  for (size_t i = size; i > 0; i--)
    set((char *)to + i - 1, get((const char *)from + i - 1, PC), PC);
  return to;
}
void *__wrap_memset(void *to, int byte, size_t size)
{
  for (size_t i = 0; i < size; i++)
    set((char *)to + i, byte, PC);
  return to;
}
char *__wrap_strcpy(char *to, const char *from)
{
  for (size_t i = 0;; i++) {
    unsigned char byte = get(from + i, PC);
    set(to + i, byte, PC);
    if (!byte)
      return to;
  }
}
size_t __wrap_strlen(const char *text)
{
  size_t length = 0;
  while (get(text + length, PC))
    length++;
  return length;
}
int __wrap_strcmp(const char *a, const char *b)
{
  for (;; a++, b++) {
    unsigned char x = get(a, PC), y = get(b, PC);
    if (x != y || !x)
      return x - y;
  }
}
int __wrap_memcmp(const void *a, const void *b, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    unsigned char x = get((const char *)a + i, PC), y = get((const char *)b + i, PC);
    if (x != y)
      return x - y;
  }
  return 0;
}

/* ---- inputs ---- */

int raddle_recorded(int source, size_t size, void *pc, unsigned long long *value)
{
  static __thread int at[5];
  for (int i = at[source]; i < raddle_input_count; i++) {
    const struct raddle_input *input = &raddle_inputs[i];
    if (input->thread != (raddle_self < 0 ? 0 : raddle_self) || input->source != source)
      continue;
    /* Not all that is called or declared is recorded. */
    if (source != RADDLE_INPUT && !raddle_stands_at(pc, input->file, input->line))
      continue;
    if (size && input->size != (int)size && raddle_pointer_bits == 8 * (int)sizeof(void *))
      continue;
    at[source] = i + 1;
    *value = input->value;
    return 1;
  }
  return 0;
}

unsigned long long raddle_input(int source, void *pc)
{
  unsigned long long value = 0;
  raddle_recorded(source, 0, pc, &value);
  return value;
}

void __attribute__((weak)) __VERIFIER_assume(int condition)
{
  if (!condition)
    raddle_diverged("an assumption fails");
}
/* The recorded order keeps atomic sections together. */
void __attribute__((weak)) __VERIFIER_atomic_begin(void) { raddle_point(-1, 0, 0, PC); }
void __attribute__((weak)) __VERIFIER_atomic_end(void) { raddle_point(-1, 0, 0, PC); }

/* ---- the end ---- */

void __attribute__((weak)) reach_error() { raddle_error_called(PC); }
void __attribute__((weak)) __VERIFIER_error() { raddle_error_called(PC); }

void __wrap___assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
  char text[1024];
  snprintf(text, sizeof text, "%s:%u: assertion failed: %s", file, line, assertion);
  if (raddle_needs_error_call)
    raddle_diverged(text);
  raddle_reproduced(text);
}

static void crashed(int signal) { raddle_diverged("the program crashes"); }

static __attribute__((constructor(102))) void on_crash(void)
{
  signal(SIGSEGV, crashed);
  signal(SIGBUS, crashed);
  signal(SIGFPE, crashed);
}

void __wrap_abort(void) { raddle_diverged("the program aborts"); }
