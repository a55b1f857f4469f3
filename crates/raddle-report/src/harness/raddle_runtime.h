/* The runtime of an executable counterexample: what `harness.c` tells it, and what its parts know of each other.

   The program is compiled with gcc's -fsanitize=thread and linked with this runtime in place of the sanitizer's: every access to memory that others may see
   calls a hook (`raddle_hooks.c`), and so does every call of the thread library (`raddle_library.c`). `raddle_schedule.c` lets one thread run at a time, in
   the order of the recorded events. */
#ifndef RADDLE_RUNTIME_H
#define RADDLE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The library's own, for the runtime itself. */
void *__real_memcpy(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);
int __real_strcmp(const char *, const char *);
size_t __real_strlen(const char *);
char *__real_strcpy(char *, const char *);
#define memcpy __real_memcpy
#define memset __real_memset
#define strcmp __real_strcmp
#define strlen __real_strlen
#define strcpy __real_strcpy

enum raddle_kind {
  RADDLE_READ,
  RADDLE_WRITE,
  RADDLE_UPDATE,  /* an atomic read-modify-write */
  RADDLE_ACQUIRE,
  RADDLE_RELEASE,
  RADDLE_SYNC,    /* a step of a semaphore, a barrier, a once flag */
  RADDLE_CREATE,
  RADDLE_JOIN,
  RADDLE_END
};

enum raddle_storage { RADDLE_STATIC, RADDLE_HEAP, RADDLE_OTHER };

/* A variable or an allocated object. A static one has a symbol; the number of a heap object counts the calls of malloc and calloc of its thread, from 0. */
struct raddle_object {
  const char *name;
  int storage, thread, number;
};

/* What a thread does next that the order depends on. `result` is what a lock answered, or the thread that is created or joined. */
struct raddle_event {
  int thread, kind, object;
  unsigned offset, size;
  int file, line;
  long long result;
};

/* A value that comes from outside, in the order of its thread. */
enum raddle_source { RADDLE_INPUT, RADDLE_UNDEFINED, RADDLE_CHOICE, RADDLE_UNINITIALISED, RADDLE_UNWRITTEN };
struct raddle_input {
  int thread, source, size, file, line;
  unsigned long long value;
};

/* What gcc's -ftrivial-auto-var-init=pattern writes to each byte, and the runtime to allocated memory: nobody has written there yet. */
#define RADDLE_NOTHING 0xfe

/* harness.c */
extern const int raddle_pointer_bits, raddle_threads, raddle_last_thread, raddle_needs_error_call, raddle_has_uninitialised, raddle_violation_file, raddle_violation_line;
extern const char raddle_violation[];
extern const char *const raddle_files[];
extern const struct raddle_object raddle_objects[];
extern const int raddle_object_count;
extern const struct raddle_event raddle_events[];
extern const int raddle_event_count;
extern const struct raddle_input raddle_inputs[];
extern const int raddle_input_count;

/* raddle_schedule.c */
extern __thread int raddle_self;
void raddle_begin(void);
/* An access, or a call of the library, is about to happen: returns when it is this thread's turn. The event, or null if there is none for it. */
const struct raddle_event *raddle_point(int kind, const void *at, size_t size, void *pc);
/* The thread ends: whoever comes next goes on. */
void raddle_end(void);
/* Does the thread do anything that is recorded? */
int raddle_has_turn(int thread);
/* A new thread begins with this number. */
void raddle_enter(int thread);
void raddle_reproduced(const char *what) __attribute__((noreturn));
/* The error function is called: where it was recorded, or elsewhere. */
void raddle_error_called(void *pc) __attribute__((noreturn));
void raddle_diverged(const char *what) __attribute__((noreturn));

/* raddle_addresses.c */
void raddle_read_symbols(void);
int raddle_is_static(uintptr_t address);
/* Where the call before a return address stands in the source: 0 if it is not known. */
int raddle_line(void *pc, const char **file);
int raddle_stands_at(void *pc, int file, int line);
/* Where the objects of the events are, as far as that is known yet, and how large. */
extern uintptr_t *raddle_bases;
extern size_t *raddle_sizes;
/* A function by its address: one of those that mean the violation? */
int raddle_is_error_function(void *function);

/* raddle_library.c */
/* The next value of this thread from a source, at the line of a call. Is there one? */
int raddle_recorded(int source, size_t size, void *pc, unsigned long long *value);
unsigned long long raddle_input(int source, void *pc);

#endif
