/* Files by their descriptors: any number that is not in use, and any bytes. What comes out of a pipe is what was written to it: a gap. */

static struct { int number; _Bool is_open, is_pipe; } __raddle_files[8];

static int __raddle_file(int number)
{
  for (int i = 0; i < 8; i++)
    if (__raddle_files[i].is_open && __raddle_files[i].number == number)
      return i;
  return -1;
}

static void __raddle_open_file(int number, _Bool is_pipe)
{
  int i = 0;
  while (i < 8 && __raddle_files[i].is_open)
    i++;
  if (i == 8)
    __raddle_gap("more than eight open files");
  __raddle_files[i].number = number;
  __raddle_files[i].is_open = 1;
  __raddle_files[i].is_pipe = is_pipe;
}

static _Bool __raddle_is_pipe(int number)
{
  __VERIFIER_atomic_begin();
  int i = __raddle_file(number);
  _Bool is_pipe = i >= 0 && __raddle_files[i].is_pipe;
  __VERIFIER_atomic_end();
  return is_pipe;
}

int __raddle_new_file(_Bool is_pipe)
{
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0);
  __VERIFIER_atomic_begin();
  __VERIFIER_assume(__raddle_file(number) < 0);
  __raddle_open_file(number, is_pipe);
  __VERIFIER_atomic_end();
  return number;
}

/* A negative number is no file; another one may be, even if the program did not open it. */
static int __raddle_file_fails(int number)
{
  if (number >= 0)
    return __raddle_fails();
  __raddle_errno = 9;
  return 1;
}

int open(const char *path, int flags, ...) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
int open64(const char *path, int flags, ...) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
int openat(int folder, const char *path, int flags, ...) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
int openat64(int folder, const char *path, int flags, ...) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
int creat(const char *path, unsigned mode) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
int creat64(const char *path, unsigned mode) { return __raddle_fails() ? -1 : __raddle_new_file(0); }

/* A file is closed even where that fails. */
int close(int number)
{
  if (number < 0)
    return -__raddle_file_fails(number);
  __VERIFIER_atomic_begin();
  int i = __raddle_file(number);
  if (i >= 0)
    __raddle_files[i].is_open = 0;
  __VERIFIER_atomic_end();
  return -__raddle_fails();
}

int dup(int number) { return __raddle_file_fails(number) ? -1 : __raddle_new_file(__raddle_is_pipe(number)); }

int dup3(int number, int copy, int flags)
{
  if (number < 0 || copy < 0)
    return -__raddle_file_fails(-1);
  if (__raddle_fails())
    return -1;
  _Bool is_pipe = __raddle_is_pipe(number);
  __VERIFIER_atomic_begin();
  int i = __raddle_file(copy);
  if (i >= 0)
    __raddle_files[i].is_pipe = is_pipe;
  else
    __raddle_open_file(copy, is_pipe);
  __VERIFIER_atomic_end();
  return copy;
}

int dup2(int number, int copy) { return dup3(number, copy, 0); }

static int __raddle_two_files(int *files)
{
  if (__raddle_fails())
    return -1;
  int first = __raddle_new_file(1), second = __raddle_new_file(1);
  files[0] = first;
  files[1] = second;
  return 0;
}

int pipe(int *files) { return __raddle_two_files(files); }
int pipe2(int *files, int flags) { return __raddle_two_files(files); }
int socketpair(int domain, int type, int protocol, int *files) { return __raddle_two_files(files); }

static long __raddle_received(int number, void *to, size_t n)
{
  if (__raddle_is_pipe(number))
    __raddle_gap("reading from a pipe or a pair of sockets");
  if (__raddle_file_fails(number))
    return -1;
  long count = __VERIFIER_nondet_long();
  __VERIFIER_assume(count >= 0 && (size_t)count <= n);
  __raddle_byte *bytes = to;
  for (long i = 0; i < count; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  return count;
}

long read(int number, void *to, size_t n) { return __raddle_received(number, to, n); }
long pread(int number, void *to, size_t n, long at) { return __raddle_received(number, to, n); }
long recv(int number, void *to, size_t n, int flags)
{
  if (flags & 0x22)
    __raddle_gap("`recv` that peeks or tells the full length");
  return __raddle_received(number, to, n);
}

static long __raddle_sent(int number, size_t n)
{
  if (__raddle_file_fails(number))
    return -1;
  long written = __VERIFIER_nondet_long();
  __VERIFIER_assume(written >= 0 && (size_t)written <= n);
  return written;
}

long pwrite(int number, const void *from, size_t n, long at) { return __raddle_sent(number, n); }
long send(int number, const void *from, size_t n, int flags) { return __raddle_sent(number, n); }
long sendto(int number, const void *from, size_t n, int flags, const void *to, unsigned length) { return __raddle_sent(number, n); }

long lseek(int number, long offset, int from)
{
  long at = __VERIFIER_nondet_long();
  if (__raddle_file_fails(number))
    return -1;
  __VERIFIER_assume(at >= 0 && (from != 0 || at == offset));
  return at;
}

int fsync(int number) { return -__raddle_file_fails(number); }
int fdatasync(int number) { return -__raddle_file_fails(number); }
int ftruncate(int number, long length) { return -__raddle_file_fails(number); }
int fchmod(int number, unsigned mode) { return -__raddle_file_fails(number); }
int fchown(int number, unsigned user, unsigned group) { return -__raddle_file_fails(number); }
int fchdir(int number) { return -__raddle_file_fails(number); }
int isatty(int number) { return !__raddle_file_fails(number); }

/* ---- sockets ---- */

int socket(int domain, int type, int protocol) { return __raddle_fails() ? -1 : __raddle_new_file(0); }
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
  return __raddle_new_file(0);
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
