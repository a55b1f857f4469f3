/* <stdio.h>: streams. A stream remembers that it came to its end, that an error occurred, what was pushed back, and who holds its lock. What is read is any bytes; output goes
   nowhere and never fails. */

extern void *stdin, *stdout, *stderr;
extern unsigned long pthread_self(void);

/* Only where the program looks at errno. */
extern void __raddle_set_any_error(void) __attribute__((weak));

static int __raddle_stream_error(void)
{
  if (__raddle_set_any_error)
    __raddle_set_any_error();
  return -1;
}

static void __raddle_begin_anew(struct __raddle_file *f)
{
  __VERIFIER_atomic_begin();
  f->end = f->error = f->pushed = 0;
  __VERIFIER_atomic_end();
}

/* ---- opening and closing ---- */

static void *__raddle_stream(int number)
{
  if (__raddle_fails())
    return 0;
  struct __raddle_file *f = malloc(216);
  f->number = number;
  f->depth = 0;
  __raddle_begin_anew(f);
  return f;
}

static int __raddle_new_number(void)
{
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0);
  return number;
}

void *fopen(const char *path, const char *mode) { return __raddle_stream(__raddle_new_number()); }
void *fopen64(const char *path, const char *mode) { return __raddle_stream(__raddle_new_number()); }
void *fdopen(int file, const char *mode) { return __raddle_stream(file); }
void *tmpfile(void) { return __raddle_stream(__raddle_new_number()); }
void *tmpfile64(void) { return __raddle_stream(__raddle_new_number()); }
void *popen(const char *command, const char *mode) { return __raddle_stream(__raddle_new_number()); }

static int __raddle_is_standard(void *stream) { return stream == &__raddle_standard[0] || stream == &__raddle_standard[1] || stream == &__raddle_standard[2]; }

/* A stream that was closed must not be used: nothing is known of output that fails, so `stdout` is not closed. */
int fclose(void *stream)
{
  if (stream == &__raddle_standard[1])
    __raddle_gap("`fclose` of `stdout`");
  if (!__raddle_is_standard(stream))
    free(stream);
  return 0;
}

int pclose(void *stream)
{
  int status = __VERIFIER_nondet_int();
  free(stream);
  if (status == -1)
    __raddle_stream_error();
  return status;
}

/* What fails closes the stream. */
void *freopen(const char *path, const char *mode, void *stream)
{
  if (__raddle_fails()) {
    if (stream == &__raddle_standard[1])
      __raddle_gap("`freopen` of `stdout` that fails");
    return 0;
  }
  __raddle_begin_anew(stream);
  return stream;
}
void *freopen64(const char *path, const char *mode, void *stream) { return freopen(path, mode, stream); }

int fileno(void *stream)
{
  for (int i = 0; i < 3; i++)
    if (stream == &__raddle_standard[i])
      return i;
  return ((struct __raddle_file *)stream)->number;
}
int fileno_unlocked(void *stream) { return fileno(stream); }

/* ---- what a stream remembers ---- */

static int __raddle_flag_of(_Bool *flag)
{
  __VERIFIER_atomic_begin();
  int is_set = *flag;
  __VERIFIER_atomic_end();
  return is_set;
}

int feof(void *stream) { return __raddle_flag_of(&((struct __raddle_file *)stream)->end); }
int ferror(void *stream) { return __raddle_flag_of(&((struct __raddle_file *)stream)->error); }
int feof_unlocked(void *stream) { return feof(stream); }
int ferror_unlocked(void *stream) { return ferror(stream); }

void clearerr(void *stream)
{
  struct __raddle_file *f = stream;
  __VERIFIER_atomic_begin();
  f->end = f->error = 0;
  __VERIFIER_atomic_end();
}
void clearerr_unlocked(void *stream) { clearerr(stream); }

/* A character, or -1. The end stays; an error may pass. */
int __raddle_read(void *stream)
{
  struct __raddle_file *f = stream;
  int c = -1;
  __VERIFIER_atomic_begin();
  if (f->pushed > 0)
    c = f->back[--f->pushed];
  else if (!f->end) {
    if (!__VERIFIER_nondet_bool())
      c = __VERIFIER_nondet_uchar();
    else if (__VERIFIER_nondet_bool())
      f->end = 1;
    else {
      f->error = 1;
      __raddle_stream_error();
    }
  }
  __VERIFIER_atomic_end();
  return c;
}

int ungetc(int c, void *stream)
{
  struct __raddle_file *f = stream;
  if (c == -1)
    return -1;
  __VERIFIER_atomic_begin();
  int is_full = f->pushed == 8;
  if (!is_full) {
    f->back[f->pushed++] = c;
    f->end = 0;
  }
  __VERIFIER_atomic_end();
  if (is_full)
    __raddle_gap("more than 8 characters that are pushed back");
  return (__raddle_byte)c;
}

/* ---- positions ---- */

int fseek(void *stream, long offset, int whence)
{
  struct __raddle_file *f = stream;
  if (__raddle_fails())
    return -1;
  __VERIFIER_atomic_begin();
  f->end = f->pushed = 0;
  __VERIFIER_atomic_end();
  return 0;
}
int fseeko(void *stream, long offset, int whence) { return fseek(stream, offset, whence); }
int fseeko64(void *stream, long long offset, int whence) { return fseek(stream, offset, whence); }
void rewind(void *stream) { __raddle_begin_anew(stream); }

long ftell(void *stream)
{
  long at = __VERIFIER_nondet_long();
  __VERIFIER_assume(at >= -1);
  return at < 0 ? __raddle_stream_error() : at;
}
long ftello(void *stream) { return ftell(stream); }
long long ftello64(void *stream) { return ftell(stream); }

static int __raddle_position(void *position, size_t n)
{
  __raddle_byte *to = position;
  if (__raddle_fails())
    return -1;
  for (size_t i = 0; i < n; i++)
    to[i] = __VERIFIER_nondet_uchar();
  return 0;
}

int fgetpos(void *stream, void *position) { return __raddle_position(position, sizeof(long) + 8); }
int fgetpos64(void *stream, void *position) { return __raddle_position(position, 16); }
int fsetpos(void *stream, const void *position) { return fseek(stream, 0, 0); }
int fsetpos64(void *stream, const void *position) { return fseek(stream, 0, 0); }

/* ---- locks: the owner may lock again ---- */

void flockfile(void *stream)
{
  struct __raddle_file *f = stream;
  unsigned long self = pthread_self();
  __VERIFIER_atomic_begin();
  __raddle_await(f->depth == 0 || f->owner == self);
  f->owner = self;
  f->depth++;
  __VERIFIER_atomic_end();
}

int ftrylockfile(void *stream)
{
  struct __raddle_file *f = stream;
  unsigned long self = pthread_self();
  __VERIFIER_atomic_begin();
  int is_held = f->depth != 0 && f->owner != self;
  if (!is_held) {
    f->owner = self;
    f->depth++;
  }
  __VERIFIER_atomic_end();
  return is_held ? 16 : 0;
}

void funlockfile(void *stream)
{
  struct __raddle_file *f = stream;
  __VERIFIER_atomic_begin();
  f->depth--;
  __VERIFIER_atomic_end();
}
