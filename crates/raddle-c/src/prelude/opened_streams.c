/* <stdio.h>: what may fail only where the program opens streams itself. Without them, output is not looked at (`lower/output.rs`). */

extern _Bool __raddle_output(void *stream, long n);
extern _Bool __raddle_is_for_input(void *stream);
extern _Bool __raddle_is_standard(void *stream);

/* The result of `fprintf`, which printed so many characters; -1: nobody counts them. */
int __raddle_printed(void *stream, int length)
{
  if (length == 0 && __raddle_is_for_input(stream))
    return -1;
  return __raddle_output(stream, length) ? length : -1;
}

/* What was not written yet may turn out to fail. */
int fflush(void *stream)
{
  if (!stream || __raddle_is_standard(stream) || __raddle_is_for_input(stream))
    return 0;
  return __raddle_output(stream, -1) ? 0 : -1;
}
int fflush_unlocked(void *stream) { return fflush(stream); }
