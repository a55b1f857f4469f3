/* <stdio.h>: what goes to streams is not looked at, and output never fails. */

int fputc(int c, void *stream) { return (__raddle_byte)c; }
int putc(int c, void *stream) { return (__raddle_byte)c; }
int putc_unlocked(int c, void *stream) { return (__raddle_byte)c; }
int fputc_unlocked(int c, void *stream) { return (__raddle_byte)c; }
int putw(int w, void *stream) { return 0; }

static int __raddle_written(void)
{
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0);
  return n;
}

int fputs(const char *s, void *stream) { return __raddle_written(); }
int fputs_unlocked(const char *s, void *stream) { return __raddle_written(); }
size_t fwrite(const void *data, size_t size, size_t count, void *stream) { return size ? count : 0; }
size_t fwrite_unlocked(const void *data, size_t size, size_t count, void *stream) { return size ? count : 0; }

/* A part may be written, and it may fail. */
long write(int file, const void *data, size_t n)
{
  long written = __VERIFIER_nondet_long();
  __VERIFIER_assume(written >= -1 && (written < 0 || (size_t)written <= n));
  if (written < 0)
    __raddle_errno = __VERIFIER_nondet_int();
  return written;
}

/* What is written stays in a buffer of the program's. */
int setvbuf(void *stream, char *buffer, int mode, size_t n)
{
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
int fflush_unlocked(void *stream) { return 0; }
