/* Files by their descriptors. What is read is any bytes where the program cannot know them. */

/* So many bytes were read or written at the position. */
static void __raddle_moved(int number, long count, _Bool is_written)
{
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  if (file) {
    file->at += count;
    file->known |= is_written;
    file->was_read |= !is_written;
  }
  __VERIFIER_atomic_end();
}

/* Two descriptors of one file share its position. */
static _Bool __raddle_share(int number)
{
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  _Bool is_pipe = file && file->is_pipe;
  if (file)
    file->lost = file->known = 1;
  __VERIFIER_atomic_end();
  return is_pipe;
}

/* Another number than those that are known may be a file, even if the program did not open it. */
static int __raddle_file_fails(int number)
{
  if (number >= 0 && !__raddle_is_free(number))
    return __raddle_fails();
  __raddle_errno = 9;
  return 1;
}

static int __raddle_refused(int error)
{
  __raddle_errno = error;
  return 1;
}

/* Was a file opened to be used the other way only? */
static _Bool __raddle_is_not_for(int number, _Bool is_written)
{
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  _Bool is_not = file && (is_written ? file->no_output : file->no_input);
  __VERIFIER_atomic_end();
  return is_not && __raddle_refused(9);
}

static _Bool __raddle_is_pipe(int number)
{
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  _Bool is_pipe = file && file->is_pipe;
  __VERIFIER_atomic_end();
  return is_pipe;
}

/* What is truncated is known. O_WRONLY is 1, O_TRUNC 01000, O_APPEND 02000, O_PATH 010000000. */
static int __raddle_opened(const char *path, int flags)
{
  if (!*path)
    return -__raddle_refused(2);
  if (flags & 010000000)
    __raddle_gap("`open` with O_PATH");
  _Bool known = __raddle_meet(path) || flags & 01000;
  if (__raddle_fails())
    return -1;
  int number = __raddle_new_file(0, known);
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  file->lost = (flags & 02000) != 0;
  file->no_input = (flags & 3) == 1;
  file->no_output = (flags & 3) == 0;
  __VERIFIER_atomic_end();
  return number;
}

int open(const char *path, int flags, ...) { return __raddle_opened(path, flags); }
int open64(const char *path, int flags, ...) { return __raddle_opened(path, flags); }
int openat(int folder, const char *path, int flags, ...) { return __raddle_opened(path, flags); }
int openat64(int folder, const char *path, int flags, ...) { return __raddle_opened(path, flags); }
int creat(const char *path, unsigned mode) { return __raddle_opened(path, 01001); }
int creat64(const char *path, unsigned mode) { return __raddle_opened(path, 01001); }

/* A file is closed even where that fails. One that the program did not open may be none. */
int close(int number)
{
  if (number < 0 || __raddle_is_free(number))
    return -__raddle_file_fails(-1);
  __VERIFIER_atomic_begin();
  _Bool is_open = number < 3 || __raddle_file(number);
  __VERIFIER_atomic_end();
  if (number == 1 || number == 2)
    __raddle_gap_beside("output to a descriptor that was closed");
  int fails = __raddle_fails();
  if (is_open || !fails)
    __raddle_close_file(number);
  return -fails;
}

int dup(int number)
{
  if (__raddle_file_fails(number))
    return -1;
  int copy = __raddle_new_file(0, 1);
  __raddle_copy_to(number, copy);
  return copy;
}

static void __raddle_copy_to(int number, int copy)
{
  _Bool is_pipe = __raddle_share(number);
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(copy);
  if (!file)
    __raddle_open_file(copy, is_pipe, 1);
  file = __raddle_file(copy);
  struct __raddle_descriptor *from = __raddle_file(number);
  file->is_pipe = is_pipe;
  file->known = file->lost = 1;
  file->no_input = from && from->no_input;
  file->no_output = from && from->no_output;
  __VERIFIER_atomic_end();
}

int dup3(int number, int copy, int flags)
{
  if (number < 0 || copy < 0)
    return -__raddle_file_fails(-1);
  if (number == copy || flags & ~02000000)
    return -__raddle_refused(22);
  if (__raddle_file_fails(number))
    return -1;
  __raddle_copy_to(number, copy);
  return copy;
}

int dup2(int number, int copy)
{
  if (number != copy)
    return dup3(number, copy, 0);
  return __raddle_file_fails(number) ? -1 : copy;
}

static int __raddle_two_files(int *files)
{
  if (__raddle_fails())
    return -1;
  int first = __raddle_new_file(1, 1), second = __raddle_new_file(1, 1);
  files[0] = first;
  files[1] = second;
  return 0;
}

/* The first end is read, the second is written. */
int pipe(int *files)
{
  if (__raddle_two_files(files))
    return -1;
  __VERIFIER_atomic_begin();
  __raddle_file(files[0])->no_output = __raddle_file(files[1])->no_input = 1;
  __VERIFIER_atomic_end();
  return 0;
}

/* O_CLOEXEC, O_NONBLOCK, O_DIRECT. */
int pipe2(int *files, int flags) { return flags & ~02044000 ? -__raddle_refused(22) : pipe(files); }
int socketpair(int domain, int type, int protocol, int *files) { return __raddle_two_files(files); }

static long __raddle_received(int number, void *to, size_t n)
{
  if (__raddle_is_not_for(number, 0))
    return -1;
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  if (file && file->is_pipe)
    __raddle_gap("reading from a pipe or a pair of sockets");
  if (file && file->known)
    __raddle_gap("reading from a file that the program has met before");
  __VERIFIER_atomic_end();
  if (__raddle_file_fails(number))
    return -1;
  long count = __VERIFIER_nondet_long();
  __VERIFIER_assume(count >= 0 && (size_t)count <= n);
  __raddle_byte *bytes = to;
  for (long i = 0; i < count; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  return count;
}

long read(int number, void *to, size_t n)
{
  long count = __raddle_received(number, to, n);
  if (count > 0)
    __raddle_moved(number, count, 0);
  return count;
}

/* Where the next one reads is not looked at. */
long pread(int number, void *to, size_t n, long at)
{
  long count = __raddle_received(number, to, n);
  __raddle_moved(number, 0, 1);
  return count;
}

long recv(int number, void *to, size_t n, int flags)
{
  if (flags & 0x22)
    __raddle_gap("`recv` that peeks or tells the full length");
  return __raddle_received(number, to, n);
}

static long __raddle_sent(int number, size_t n)
{
  if (__raddle_is_not_for(number, 1))
    return -1;
  if (__raddle_broken && __raddle_is_pipe(number))
    __raddle_gap("writing to a pipe of which an end is closed");
  if (__raddle_file_fails(number))
    return -1;
  long written = __VERIFIER_nondet_long();
  __VERIFIER_assume(written >= 0 && (size_t)written <= n);
  return written;
}

/* A part may be written, and it may fail. */
long write(int number, const void *from, size_t n)
{
  long count = __raddle_sent(number, n);
  __raddle_moved(number, count > 0 ? count : 0, 1);
  return count;
}

long pwrite(int number, const void *from, size_t n, long at)
{
  __raddle_moved(number, 0, 1);
  return __raddle_sent(number, n);
}

long send(int number, const void *from, size_t n, int flags) { return __raddle_sent(number, n); }
long sendto(int number, const void *from, size_t n, int flags, const void *to, unsigned length) { return __raddle_sent(number, n); }

/* Where the end is does not change by itself, and what was read once is read again. Holes and data are not known. */
static long __raddle_sought(struct __raddle_descriptor *file, long offset, int from)
{
  long end = __VERIFIER_nondet_long();
  __VERIFIER_assume(end >= 0 && end <= 1l << (sizeof end * 8 - 2));
  if (from > 2 || (from == 1 && file->lost) || (from == 2 && (file->known || file->sized)))
    __raddle_gap("`lseek` from a position that is not known");
  long at, start = from == 0 ? 0 : from == 1 ? file->at : end;
  if (__builtin_add_overflow(start, offset, &at) || at < 0)
    return -1;
  file->sized |= from == 2;
  file->known |= file->was_read && (file->lost || at != file->at);
  file->at = at;
  file->lost = 0;
  return at;
}

long lseek(int number, long offset, int from)
{
  if (__raddle_file_fails(number))
    return -1;
  if (__raddle_is_pipe(number))
    return -__raddle_refused(29);
  __VERIFIER_atomic_begin();
  struct __raddle_descriptor *file = __raddle_file(number);
  if (!file && from != 0)
    __raddle_gap("`lseek` from a position that is not known");
  long at = from < 0 || from > 4 ? -1 : file ? __raddle_sought(file, offset, from) : offset;
  __VERIFIER_atomic_end();
  if (at >= 0)
    return at;
  __raddle_errno = 22;
  return -1;
}

int fsync(int number) { return -__raddle_file_fails(number); }
int fdatasync(int number) { return -__raddle_file_fails(number); }
int ftruncate(int number, long length)
{
  if (length < 0 || __raddle_is_not_for(number, 1) || __raddle_is_pipe(number))
    return -__raddle_refused(22);
  __raddle_moved(number, 0, 1);
  return -__raddle_file_fails(number);
}
int fchmod(int number, unsigned mode) { return -__raddle_file_fails(number); }
int fchown(int number, unsigned user, unsigned group) { return -__raddle_file_fails(number); }
int fchdir(int number) { return -__raddle_file_fails(number); }
int isatty(int number)
{
  if (__raddle_is_pipe(number))
    return !__raddle_refused(25);
  return !__raddle_file_fails(number);
}

/* ---- sockets ---- */

int socket(int domain, int type, int protocol) { return __raddle_fails() ? -1 : __raddle_new_file(0, 0); }
int bind(int number, const void *address, unsigned length) { return -__raddle_file_fails(number); }
int connect(int number, const void *address, unsigned length) { return -__raddle_file_fails(number); }
int listen(int number, int most) { return -__raddle_file_fails(number); }
int shutdown(int number, int how) { return -__raddle_file_fails(number); }
int setsockopt(int number, int level, int option, const void *value, unsigned n) { return -__raddle_file_fails(number); }

/* Any bytes where there is room for so many; the length that there would be. */
static void __raddle_fill(void *to, unsigned *length)
{
  if (!to || !length)
    return;
  unsigned room = *length, full = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(full <= 128);
  __raddle_byte *bytes = to;
  for (unsigned i = 0; i < full && i < room; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  *length = full;
}

int accept(int number, void *address, unsigned *length)
{
  if (__raddle_file_fails(number))
    return -1;
  __raddle_fill(address, length);
  return __raddle_new_file(0, 0);
}

int getsockname(int number, void *address, unsigned *length)
{
  if (__raddle_file_fails(number))
    return -1;
  __raddle_fill(address, length);
  return 0;
}

int getpeername(int number, void *address, unsigned *length) { return getsockname(number, address, length); }

long recvfrom(int number, void *to, size_t n, int flags, void *address, unsigned *length)
{
  long count = recv(number, to, n, flags);
  if (count >= 0)
    __raddle_fill(address, length);
  return count;
}
