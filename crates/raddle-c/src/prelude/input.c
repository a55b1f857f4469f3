/* <stdio.h>: streams that are opened, and what is read from them: any bytes, or none. That a stream remembers its end, an error or what is
   pushed back is not modelled: `feof` and its like are gaps. */

static void *__raddle_stream(void)
{
  if (__VERIFIER_nondet_bool()) {
    __raddle_errno = __VERIFIER_nondet_int();
    return 0;
  }
  return malloc(216);
}

void *fopen(const char *path, const char *mode) { return __raddle_stream(); }
void *fopen64(const char *path, const char *mode) { return __raddle_stream(); }
void *fdopen(int file, const char *mode) { return __raddle_stream(); }
void *tmpfile(void) { return __raddle_stream(); }

static int __raddle_read(void)
{
  if (__VERIFIER_nondet_bool())
    return -1;
  return __VERIFIER_nondet_uchar();
}

int fgetc(void *stream) { return __raddle_read(); }
int getc(void *stream) { return __raddle_read(); }
int fgetc_unlocked(void *stream) { return __raddle_read(); }
int getc_unlocked(void *stream) { return __raddle_read(); }
int getchar(void) { return __raddle_read(); }
int getchar_unlocked(void) { return __raddle_read(); }

char *fgets(char *line, int n, void *stream)
{
  if (__VERIFIER_nondet_bool() || n <= 0)
    return 0;
  int i = 0;
  while (i + 1 < n) {
    int c = __raddle_read();
    if (c < 0)
      break;
    line[i] = c;
    i++;
    if (c == '\n')
      break;
  }
  if (i == 0 && n > 1)
    return 0;
  line[i] = 0;
  return line;
}

size_t fread(void *data, size_t size, size_t count, void *stream)
{
  if (size == 0 || count == 0)
    return 0;
  size_t bytes = 0;
  __raddle_byte *to = data;
  while (bytes < size * count) {
    int c = __raddle_read();
    if (c < 0)
      break;
    to[bytes] = c;
    bytes++;
  }
  return bytes / size;
}

int fileno(void *stream)
{
  int file = __VERIFIER_nondet_int();
  __VERIFIER_assume(file >= 0);
  return file;
}

static int __raddle_done(void)
{
  if (!__VERIFIER_nondet_bool())
    return 0;
  __raddle_errno = __VERIFIER_nondet_int();
  return -1;
}

int fseek(void *stream, long offset, int whence) { return __raddle_done(); }
void rewind(void *stream) { }
int remove(const char *path) { return __raddle_done(); }
int unlink(const char *path) { return __raddle_done(); }

long ftell(void *stream)
{
  long at = __VERIFIER_nondet_long();
  __VERIFIER_assume(at >= -1);
  if (at < 0)
    __raddle_errno = __VERIFIER_nondet_int();
  return at;
}
