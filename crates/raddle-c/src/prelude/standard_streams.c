/* <stdio.h>: what a stream remembers, and the three that are open. A part of its own: most programs do nothing with them but print.

   `at` is the position unless it is `lost`. Nothing was ever in an `empty` file. What is read from a `known` one is determined by what the program did before: a gap. */

struct __raddle_file {
  _Bool end, error, no_input, no_output, lost, empty, known, was_read;
  __raddle_byte pushed, back[8];
  int number;
  unsigned depth;
  unsigned long owner;
  long at;
};

static struct __raddle_file __raddle_standard[3] = {{.no_output = 1, .lost = 1}, {.no_input = 1, .lost = 1}, {.no_input = 1, .lost = 1}};
void *stdin = &__raddle_standard[0];
void *stdout = &__raddle_standard[1];
void *stderr = &__raddle_standard[2];

/* Only where the program looks at errno. */
extern void __raddle_set_any_error(void) __attribute__((weak));

_Bool __raddle_is_standard(void *stream) { return stream == &__raddle_standard[0] || stream == &__raddle_standard[1] || stream == &__raddle_standard[2]; }

/* Output to a stream for input, or input from one for output. */
int __raddle_wrong_way(void *stream)
{
  struct __raddle_file *f = stream;
  __VERIFIER_atomic_begin();
  f->error = 1;
  __VERIFIER_atomic_end();
  __raddle_errno = 9;
  return -1;
}

_Bool __raddle_is_for_input(void *stream) { return ((struct __raddle_file *)stream)->no_output; }

/* So many bytes go to a stream; -1: nobody counts them. Does that succeed? */
_Bool __raddle_output(void *stream, long n)
{
  struct __raddle_file *f = stream;
  if (n == 0)
    return 1;
  if (f->no_output)
    return __raddle_wrong_way(stream) == 0;
  if (__raddle_is_standard(stream))
    return 1;
  _Bool fails = __VERIFIER_nondet_bool();
  __VERIFIER_atomic_begin();
  f->error |= fails;
  f->lost |= fails || n < 0;
  f->known = 1;
  f->empty = f->pushed = 0;
  f->at += n;
  __VERIFIER_atomic_end();
  if (fails && __raddle_set_any_error)
    __raddle_set_any_error();
  return !fails;
}
