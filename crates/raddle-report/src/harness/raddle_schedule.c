/* One thread runs at a time: the one that the next event belongs to. The hook of an access comes before the access, so an event is over when its thread comes to
   its next hook; there it waits until an event of its own is next. Accesses that no event tells of just happen. */
#include "raddle_runtime.h"
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __real_pthread_mutex_lock(pthread_mutex_t *);
int __real_pthread_mutex_unlock(pthread_mutex_t *);
int __real_pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int __real_pthread_cond_broadcast(pthread_cond_t *);
int __real_pthread_detach(pthread_t);
void *__real_calloc(size_t, size_t);

/* How far ahead of the next event an access is looked for, if the compiler left some out or changed their order. */
#define AHEAD 256
/* The watchdog looks so often, in microseconds: it lets others go on after an access that no hook follows, and ends what makes no progress. */
#define LOOK 20000
#define LOOKS_OF_AN_ACCESS 10

__thread int raddle_self = -1;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* By thread: its turn has come. */
static pthread_cond_t *turns;
/* The next event, and whether it is under way. Only the thread that it belongs to changes them, and the watchdog. */
static volatile int next, under_way;
static volatile unsigned long beats;
static int verbose, is_over;

static int owner(int event) { return event < raddle_event_count ? raddle_events[event].thread : raddle_last_thread; }

static const char *const kinds[] = { "reads", "writes", "updates", "acquires", "releases", "synchronises on", "creates", "joins", "ends" };

static void say_event(int number)
{
  const struct raddle_event *e = &raddle_events[number];
  fprintf(stderr, "  event %d of %d: thread %d %s", number + 1, raddle_event_count, e->thread, kinds[e->kind]);
  if (e->object >= 0) {
    const char *name = raddle_objects[e->object].name;
    fprintf(stderr, " %s+%u (%u bytes)", *name ? name : "an allocated object", e->offset, e->size);
    if (raddle_bases[e->object])
      fprintf(stderr, " at %p", (void *)(raddle_bases[e->object] + e->offset));
  }
  if (e->line)
    fprintf(stderr, ", %s:%d", raddle_files[e->file], e->line);
  fprintf(stderr, "\n");
}

void raddle_diverged(const char *what)
{
  is_over = 1;
  fflush(stdout);
  fprintf(stderr, "diverged: %s (thread %d)\nrecorded: %s\n", what, raddle_self, raddle_violation);
  if (next < raddle_event_count) {
    fprintf(stderr, "expected%s:\n", under_way ? " after" : "");
    say_event(next);
  }
  fflush(stderr);
  _exit(2);
}

void raddle_reproduced(const char *what)
{
  is_over = 1;
  fflush(stdout);
  fprintf(stderr, "reproduced: %s (thread %d, %d of %d events)\n", what, raddle_self, next + under_way, raddle_event_count);
  fflush(stderr);
  _exit(0);
}

void raddle_error_called(void *pc)
{
  if (raddle_needs_error_call && !raddle_stands_at(pc, raddle_violation_file, raddle_violation_line))
    raddle_diverged("the error function is called elsewhere");
  raddle_reproduced("the error function is called");
}

static void at_exit(void)
{
  if (!is_over)
    raddle_diverged("the program ends without the violation");
}

/* Events of the thread that runs that were passed over since its last write: the compiler may read in another order (`x += y`). */
static int late[AHEAD], late_count;

/* The event under way is over; the owner of the next one goes on. */
static void advance(int event)
{
  __real_pthread_mutex_lock(&mutex);
  if (next == event && under_way) {
    under_way = 0;
    next = event + 1;
    if (owner(next) != owner(event))
      late_count = 0;
    __real_pthread_cond_broadcast(&turns[owner(next)]);
  }
  __real_pthread_mutex_unlock(&mutex);
}

static void *watch(void *unused)
{
  unsigned long seen = 0, free_looks = 0, limit = 10;
  int at = -1, looks = 0;
  if (getenv("RADDLE_SECONDS"))
    limit = strtoul(getenv("RADDLE_SECONDS"), 0, 10);
  for (;;) {
    poll(0, 0, LOOK / 1000);
    int event = next;
    int is_still = event == at && (beats == seen || event < raddle_event_count);
    looks = is_still ? looks + 1 : 0;
    if (under_way && beats == seen && looks >= LOOKS_OF_AN_ACCESS)
      advance(event);
    at = event;
    seen = beats;
    free_looks += event == raddle_event_count;
    if (looks > limit * 1000000 / LOOK || free_looks > 6 * limit * 1000000 / LOOK)
      raddle_diverged("nothing happens any more");
  }
  return 0;
}

void raddle_begin(void)
{
  static int began;
  pthread_t watchdog;
  if (began)
    return;
  began = 1;
  raddle_self = 0;
  verbose = getenv("RADDLE_VERBOSE") != 0;
  raddle_read_symbols();
  turns = __real_calloc(raddle_threads + 1, sizeof *turns);
  atexit(at_exit);
  if (__real_pthread_create(&watchdog, 0, watch, 0) == 0)
    __real_pthread_detach(watchdog);
}

static __attribute__((constructor(101))) void begin(void) { raddle_begin(); }

static void wait_for_turn(void)
{
  __real_pthread_mutex_lock(&mutex);
  while (owner(next) != raddle_self)
    __real_pthread_cond_wait(&turns[raddle_self], &mutex);
  __real_pthread_mutex_unlock(&mutex);
}

int raddle_has_turn(int thread)
{
  for (int i = 0; i <= raddle_event_count; i++)
    if (owner(i) == thread)
      return 1;
  return 0;
}

void raddle_enter(int thread)
{
  raddle_self = thread;
  wait_for_turn();
}

static int is_access(int kind) { return kind <= RADDLE_UPDATE; }

/* May the hook be that of the event? An atomic operation may read only, or write only. */
static int same_kind(int event, int hook)
{
  return event == hook || (hook == RADDLE_UPDATE && is_access(event)) || (event == RADDLE_UPDATE && is_access(hook));
}

static int is_known(uintptr_t at)
{
  for (int i = 0; i < raddle_object_count; i++)
    if (raddle_bases[i] && at - raddle_bases[i] < raddle_sizes[i])
      return 1;
  return 0;
}

/* Compiled for another data model, members have other offsets and sizes: the line must do. */
static int is_other_model(void) { return raddle_pointer_bits != 8 * (int)sizeof(void *); }

static int same_place(const struct raddle_event *e, int hook, uintptr_t at, size_t size, void *pc)
{
  uintptr_t base = raddle_bases[e->object];
  if (base && (!is_other_model() || e->offset == 0))
    return at < base + e->offset + e->size && base + e->offset < at + size;
  if (base) {
    size_t whole = raddle_objects[e->object].storage == RADDLE_OTHER ? 1 << 16 : raddle_sizes[e->object];
    return at - base < whole && raddle_stands_at(pc, e->file, e->line);
  }
  if (is_access(hook) && size != e->size && !is_other_model())
    return 0;
  if (is_known(at) || raddle_is_static(at) != (raddle_objects[e->object].storage == RADDLE_STATIC))
    return 0;
  if (!raddle_stands_at(pc, e->file, e->line))
    return 0;
  if (!is_other_model() || e->offset == 0) {
    raddle_bases[e->object] = at - e->offset;
    raddle_sizes[e->object] = e->offset + e->size;
  }
  return 1;
}

static int is_event(int number, int kind, uintptr_t at, size_t size, void *pc)
{
  const struct raddle_event *e = &raddle_events[number];
  if (!same_kind(e->kind, kind))
    return 0;
  return e->object < 0 || same_place(e, kind, at, size, pc);
}

/* What the thread accessed last. */
static __thread struct { int kind; uintptr_t at; size_t size; void *pc; } last_access;

/* One access of the machine may be several of the source: those that follow elsewhere in the same bytes. The copy of a record is one access to each of its two sides. */
static int last_of(int number, int kind, uintptr_t at, size_t size, void *pc)
{
  const struct raddle_event *first = &raddle_events[number];
  unsigned end = first->offset + first->size;
  int last = number;
  for (int n = number + 1; is_access(kind) && n < raddle_event_count && owner(n) == first->thread; n++) {
    const struct raddle_event *e = &raddle_events[n];
    if (e->kind == first->kind && e->object == first->object && e->offset >= end && is_event(n, kind, at, size, pc)) {
      end = e->offset + e->size;
      last = n;
    } else if (is_other_model() || e->size >= size || last_access.size != size || last_access.kind == kind || e->kind != last_access.kind
               || !is_event(n, last_access.kind, last_access.at, size, last_access.pc))
      break;
    else
      last = n;
  }
  return last;
}

/* An event that was passed over, if the hook is its. */
static const struct raddle_event *find_late(int kind, uintptr_t at, size_t size, void *pc)
{
  for (int i = 0; i < late_count; i++) {
    int n = late[i];
    if (!is_event(n, kind, at, size, pc) || !raddle_stands_at(pc, raddle_events[n].file, raddle_events[n].line))
      continue;
    late[i] = late[--late_count];
    if (verbose)
      say_event(n);
    return &raddle_events[n];
  }
  return 0;
}

/* The event of a hook, which is under way then. */
static const struct raddle_event *find(int kind, const void *address, size_t size, void *pc)
{
  uintptr_t at = (uintptr_t)address;
  const struct raddle_event *passed_over;
  if (late_count && next < raddle_event_count && !is_event(next, kind, at, size, pc) && (passed_over = find_late(kind, at, size, pc)))
    return passed_over;
  for (int n = next; n < raddle_event_count && n < next + AHEAD && owner(n) == raddle_self; n++) {
    if (!is_event(n, kind, at, size, pc)) {
      /* Accesses may be missing, calls of the library are not. */
      if (!is_access(raddle_events[n].kind))
        break;
      continue;
    }
    if (kind == RADDLE_READ)
      for (int passed = next; passed < n && late_count < AHEAD; passed++)
        late[late_count++] = passed;
    else
      late_count = 0;
    n = last_of(n, kind, at, size, pc);
    if (verbose)
      say_event(n);
    __real_pthread_mutex_lock(&mutex);
    next = n;
    under_way = 1;
    __real_pthread_mutex_unlock(&mutex);
    return &raddle_events[n];
  }
  if (verbose && kind >= 0 && (!is_access(kind) || is_known(at))) {
    const char *file = 0;
    int line = raddle_line(pc, &file);
    fprintf(stderr, "  not recorded: thread %d %s %p (%zu bytes), %s:%d\n", raddle_self, kinds[kind], address, size, file ? file : "?", line);
  }
  return 0;
}

const struct raddle_event *raddle_point(int kind, const void *address, size_t size, void *pc)
{
  if (raddle_self < 0 || raddle_event_count == 0)
    return 0;
  beats++;
  if (under_way && owner(next) == raddle_self)
    advance(next);
  if (owner(next) != raddle_self)
    wait_for_turn();
  if (kind < 0)
    return 0;
  const struct raddle_event *event = find(kind, address, size, pc);
  last_access.kind = kind, last_access.at = (uintptr_t)address, last_access.size = size, last_access.pc = pc;
  return event;
}

void raddle_end(void)
{
  raddle_point(RADDLE_END, 0, 0, 0);
  if (under_way && owner(next) == raddle_self)
    advance(next);
}
