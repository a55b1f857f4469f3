/* <stdio.h>: output. What is written to `stdout` and `stderr` is not looked at, and by convention succeeds. What goes to other streams may fail at any time. */

extern _Bool __raddle_output(void *stream, long n);
extern _Bool __raddle_is_for_input(void *stream);

int fputc(int c, void *stream) { return __raddle_output(stream, 1) ? (__raddle_byte)c : -1; }
int putc(int c, void *stream) { return fputc(c, stream); }
int putc_unlocked(int c, void *stream) { return fputc(c, stream); }
int fputc_unlocked(int c, void *stream) { return fputc(c, stream); }
int putw(int w, void *stream) { return __raddle_output(stream, sizeof w) ? 0 : -1; }

/* Any number that is not negative. */
int fputs(const char *s, void *stream)
{
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  return __raddle_output(stream, *s ? -1 : 0) ? n : -1;
}
int fputs_unlocked(const char *s, void *stream) { return fputs(s, stream); }

size_t fwrite(const void *data, size_t size, size_t count, void *stream)
{
  size_t bytes, written = __VERIFIER_nondet_long();
  if (size == 0 || count == 0)
    return 0;
  if (__builtin_mul_overflow(size, count, &bytes) || (long)bytes < 0)
    __raddle_gap("`fwrite` of more than there can be");
  __VERIFIER_assume(written < count);
  return __raddle_output(stream, bytes) ? count : __raddle_is_for_input(stream) ? 0 : written;
}
size_t fwrite_unlocked(const void *data, size_t size, size_t count, void *stream) { return fwrite(data, size, count, stream); }

/* What is written stays in a buffer of the program's. */
int setvbuf(void *stream, char *buffer, int mode, size_t n)
{
  if (mode < 0 || mode > 2)
    return -1;
  if (buffer)
    __raddle_gap("`setvbuf` with a buffer");
  return 0;
}

void setbuf(void *stream, char *buffer)
{
  if (buffer)
    __raddle_gap("`setbuf` with a buffer");
}
void setbuffer(void *stream, char *buffer, size_t n) { setbuf(stream, buffer); }

extern int putchar(int);
int putchar_unlocked(int c) { return putchar(c); }
