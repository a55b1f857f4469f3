/* What processes and the system are asked for: numbers that stay, names of files, random bytes. */

/* Numbers of the process and of its user, which stay the same. */
static int __raddle_numbers[5];
static _Bool __raddle_numbers_known[5];

static int __raddle_identity(int which)
{
  __VERIFIER_atomic_begin();
  if (!__raddle_numbers_known[which]) {
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(which != 0 || number > 0);
    __raddle_numbers[which] = number;
    __raddle_numbers_known[which] = 1;
  }
  int number = __raddle_numbers[which];
  __VERIFIER_atomic_end();
  return number;
}

int getpid(void) { return __raddle_identity(0); }
unsigned getuid(void) { return __raddle_identity(1); }
unsigned geteuid(void) { return __raddle_identity(2); }
unsigned getgid(void) { return __raddle_identity(3); }
unsigned getegid(void) { return __raddle_identity(4); }

/* The parent may end. */
int getppid(void)
{
  int number = __VERIFIER_nondet_int();
  __VERIFIER_assume(number >= 0);
  return number;
}

static unsigned __raddle_mask;
static _Bool __raddle_mask_known;

unsigned umask(unsigned mask)
{
  __VERIFIER_atomic_begin();
  unsigned before = __raddle_mask_known ? __raddle_mask : (unsigned)__VERIFIER_nondet_int() & 0777;
  __raddle_mask = mask & 0777;
  __raddle_mask_known = 1;
  __VERIFIER_atomic_end();
  return before;
}

int access(const char *path, int mode) { return -__raddle_fails(); }
int chdir(const char *path) { return -__raddle_fails(); }
int chmod(const char *path, unsigned mode) { return -__raddle_fails(); }
int chown(const char *path, unsigned user, unsigned group) { return -__raddle_fails(); }
int mkdir(const char *path, unsigned mode) { return -__raddle_fails(); }
int mkfifo(const char *path, unsigned mode) { return -__raddle_fails(); }

/* No zero at the end. */
long readlink(const char *path, char *to, size_t n)
{
  long count = __VERIFIER_nondet_long();
  if (__raddle_fails())
    return -1;
  __VERIFIER_assume(count >= 0 && (size_t)count <= n);
  for (long i = 0; i < count; i++) {
    to[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(to[i] != 0);
  }
  return count;
}

char *getcwd(char *to, size_t n)
{
  if (to && n < 2) {
    __raddle_errno = n ? 34 : 22;
    return 0;
  }
  if (n == 1)
    __raddle_errno = 34;
  if (n == 1 || __raddle_fails())
    return 0;
  if (!to)
    to = malloc(n = n ? n : 16);
  if (n > 16 && __VERIFIER_nondet_bool())
    __raddle_gap("a path with more than 15 characters");
  to[0] = '/';
  __raddle_any_text(to + 1, n > 16 ? 15 : n - 1);
  return to;
}

int gethostname(char *to, size_t n)
{
  if (__raddle_fails())
    return -1;
  if (n > 0)
    __raddle_any_text(to, n < 65 ? n : 65);
  return 0;
}

long getrandom(void *to, size_t n, unsigned flags)
{
  long count = __VERIFIER_nondet_long();
  if (__raddle_fails())
    return -1;
  __VERIFIER_assume(count >= 0 && (size_t)count <= n);
  __raddle_byte *bytes = to;
  for (long i = 0; i < count; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  return count;
}

int getentropy(void *to, size_t n)
{
  __raddle_byte *bytes = to;
  if (n > 256) {
    __raddle_errno = 5;
    return -1;
  }
  if (__raddle_fails())
    return -1;
  for (size_t i = 0; i < n; i++)
    bytes[i] = __VERIFIER_nondet_uchar();
  return 0;
}
