/* <stdio.h>: streams. A stream remembers that it came to its end, that an error occurred, what was pushed back, and who holds its lock. What is read is any bytes,
   unless the program can know them. */

extern void *stdin, *stdout, *stderr;
extern unsigned long pthread_self(void);
extern int fileno(void *stream);
/* Only where the program looks at descriptors. */
extern int __raddle_stream_number(_Bool is_pipe) __attribute__((weak));
extern void __raddle_stream_ends(int number) __attribute__((weak));
extern _Bool __raddle_is_no_number(int number) __attribute__((weak));
/* For lowering. */
extern int __raddle_printed(void *stream, int length);

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
  f->known |= f->was_read;
  f->at = 0;
  f->lost = 0;
  __VERIFIER_atomic_end();
}

/* ---- opening and closing ---- */

/* What a mode says; 0: it is none. */
static _Bool __raddle_set_mode(struct __raddle_file *f, const char *mode)
{
  _Bool updates = 0;
  if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
    __raddle_errno = 22;
    return 0;
  }
  for (int i = 1; i < 7 && mode[i] && mode[i] != ','; i++)
    updates |= mode[i] == '+';
  f->no_input = *mode != 'r' && !updates;
  f->no_output = *mode == 'r' && !updates;
  f->lost = *mode == 'a';
  f->known |= *mode == 'w';
  return 1;
}

static void __raddle_set_file(struct __raddle_file *f, int number)
{
  f->number = number;
  f->depth = 0;
  f->at = 0;
  f->empty = f->was_read = f->end = f->error = f->pushed = 0;
}

static void *__raddle_stream(int number, const char *mode, _Bool known)
{
  struct __raddle_file *f = malloc(sizeof *f);
  f->known = known;
  if (!__raddle_set_mode(f, mode)) {
    free(f);
    return 0;
  }
  __raddle_set_file(f, number);
  return f;
}

void *fopen(const char *path, const char *mode)
{
  if (!*path)
    __raddle_errno = 2;
  if (!*path || __raddle_fails())
    return 0;
  struct __raddle_file *f = __raddle_stream(0, mode, __raddle_meet(path));
  if (f && __raddle_stream_number)
    f->number = __raddle_stream_number(0);
  return f;
}
void *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

/* What the descriptor was used for is not looked at. */
void *fdopen(int file, const char *mode)
{
  _Bool is_none = file < 0 || __raddle_is_no_number && __raddle_is_no_number(file);
  if (is_none)
    __raddle_errno = 9;
  if (is_none || __raddle_fails())
    return 0;
  struct __raddle_file *f = __raddle_stream(file, mode, file != 0);
  if (f)
    f->lost = 1;
  return f;
}

void *tmpfile(void)
{
  if (__raddle_fails())
    return 0;
  struct __raddle_file *f = __raddle_stream(__raddle_stream_number ? __raddle_stream_number(0) : 0, "w+", 1);
  f->empty = 1;
  return f;
}
void *tmpfile64(void) { return tmpfile(); }

/* Other programs may remove files. */
void *popen(const char *command, const char *mode)
{
  __raddle_files_go = 1;
  if (__raddle_fails())
    return 0;
  struct __raddle_file *f = __raddle_stream(0, mode, 0);
  if (f) {
    f->number = __raddle_stream_number ? __raddle_stream_number(1) : 0;
    f->lost = 1;
  }
  return f;
}

/* A stream that was closed must not be used: nothing is known of output that fails, so `stdout` is not closed. */
int fclose(void *stream)
{
  if (stream == &__raddle_standard[1])
    __raddle_gap("`fclose` of `stdout`");
  _Bool is_standard = __raddle_is_standard(stream);
  if (__raddle_stream_ends)
    __raddle_stream_ends(!is_standard ? ((struct __raddle_file *)stream)->number : stream == &__raddle_standard[0] ? 0 : 2);
  if (is_standard)
    return 0;
  free(stream);
  return -__raddle_fails();
}

int pclose(void *stream)
{
  int status = __VERIFIER_nondet_int();
  if (__raddle_stream_ends)
    __raddle_stream_ends(((struct __raddle_file *)stream)->number);
  free(stream);
  if (status == -1)
    __raddle_stream_error();
  return status;
}

/* What fails closes the stream. Without a path, only the mode changes. */
void *freopen(const char *path, const char *mode, void *stream)
{
  struct __raddle_file *f = stream;
  _Bool known = !path || __raddle_meet(path);
  f->known = known;
  if (!__raddle_set_mode(f, mode) || __raddle_fails()) {
    if (stream == &__raddle_standard[1])
      __raddle_gap("`freopen` of `stdout` that fails");
    if (__raddle_stream_ends)
      __raddle_stream_ends(fileno(stream));
    return 0;
  }
  __raddle_set_file(f, f->number);
  return stream;
}
void *freopen64(const char *path, const char *mode, void *stream) { return freopen(path, mode, stream); }

/* What is done with the descriptor is not seen. */
int fileno(void *stream)
{
  for (int i = 0; i < 3; i++)
    if (stream == &__raddle_standard[i])
      return i;
  struct __raddle_file *f = stream;
  __VERIFIER_atomic_begin();
  f->known = f->lost = 1;
  f->empty = 0;
  __VERIFIER_atomic_end();
  return f->number;
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
  if (f->no_input && f->pushed == 0)
    return __raddle_wrong_way(stream);
  __VERIFIER_atomic_begin();
  if (f->pushed > 0)
    c = f->back[--f->pushed];
  else if (!f->end && f->empty)
    f->end = 1;
  else if (!f->end) {
    if (f->known)
      __raddle_gap("reading from a file that the program has met before");
    if (!__VERIFIER_nondet_bool()) {
      c = __VERIFIER_nondet_uchar();
      f->at++;
      f->was_read = 1;
    } else if (__VERIFIER_nondet_bool())
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
  long at = whence == 1 ? f->at - f->pushed + offset : offset;
  _Bool lost = whence == 1 ? f->lost : whence == 2 && !f->empty;
  _Bool is_bad = whence < 0 || whence > 2 || (!lost && at < 0);
  if (!is_bad) {
    f->end = f->pushed = 0;
    f->known |= f->was_read;
    f->lost = lost;
    f->at = at;
  }
  __VERIFIER_atomic_end();
  if (is_bad)
    __raddle_errno = 22;
  return -is_bad;
}
int fseeko(void *stream, long offset, int whence) { return fseek(stream, offset, whence); }
int fseeko64(void *stream, long long offset, int whence) { return fseek(stream, offset, whence); }
void rewind(void *stream) { __raddle_begin_anew(stream); }

/* What was pushed back at the start has no position. */
long ftell(void *stream)
{
  struct __raddle_file *f = stream;
  if (__raddle_fails())
    return -1;
  __VERIFIER_atomic_begin();
  long at = f->at - f->pushed;
  if (f->lost || at < 0)
    __raddle_gap("`ftell` where the position is not known");
  __VERIFIER_atomic_end();
  return at;
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
int fsetpos(void *stream, const void *position)
{
  struct __raddle_file *f = stream;
  if (fseek(stream, 0, 0))
    return -1;
  __VERIFIER_atomic_begin();
  f->lost = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int fsetpos64(void *stream, const void *position) { return fsetpos(stream, position); }

/* ---- locks: the owner may lock again ---- */

void flockfile(void *stream)
{
  struct __raddle_file *f = stream;
  unsigned long self = pthread_self();
  __VERIFIER_atomic_begin();
  __raddle_await((f->depth == 0) | (f->owner == self));
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
