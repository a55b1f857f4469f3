/* <stdlib.h>, as far as it is about the world outside: temporary files, terminals, paths, other programs. */

/* Names that were made are not made again, unless files were removed. */
static char *__raddle_made[4];
static int __raddle_made_count;

static void __raddle_is_new_name(const char *name, size_t n)
{
  __VERIFIER_atomic_begin();
  for (int i = 0; i < __raddle_made_count; i++)
    __VERIFIER_assume(__raddle_files_go || __raddle_string_order(__raddle_made[i], name, n + 1) != 0);
  if (__raddle_made_count == 4)
    __raddle_gap("more than four names of temporary files");
  __raddle_made[__raddle_made_count++] = memcpy(malloc(n + 1), name, n + 1);
  __VERIFIER_atomic_end();
}

/* The six letters X that are to be replaced, with so many characters behind them. */
static char *__raddle_to_be_filled(char *template, int behind)
{
  size_t n = strlen(template);
  char *x = behind < 0 || n < 6 + (size_t)behind ? 0 : template + n - behind - 6;
  for (int i = 0; x && i < 6; i++)
    if (x[i] != 'X')
      x = 0;
  if (!x)
    __raddle_errno = 22;
  return x;
}

/* They become any letters and digits. */
static void __raddle_fill_template(char *template, char *x, _Bool makes)
{
  for (int i = 0; i < 6; i++) {
    char c = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(isalnum(c));
    x[i] = c;
  }
  if (makes)
    __raddle_is_new_name(template, strlen(template));
}

int mkostemps(char *template, int behind, int flags)
{
  char *x = __raddle_to_be_filled(template, behind);
  if (!x)
    return -1;
  int number = __raddle_fails() ? -1 : __raddle_new_file(0, 1);
  __raddle_fill_template(template, x, number >= 0);
  return number;
}

int mkstemp(char *template) { return mkostemps(template, 0, 0); }
int mkostemp(char *template, int flags) { return mkostemps(template, 0, flags); }
int mkstemps(char *template, int behind) { return mkostemps(template, behind, 0); }
int mkstemp64(char *template) { return mkostemps(template, 0, 0); }
int mkostemp64(char *template, int flags) { return mkostemps(template, 0, flags); }
int mkstemps64(char *template, int behind) { return mkostemps(template, behind, 0); }
int mkostemps64(char *template, int behind, int flags) { return mkostemps(template, behind, flags); }

char *mkdtemp(char *template)
{
  char *x = __raddle_to_be_filled(template, 0);
  if (!x)
    return 0;
  _Bool makes = !__raddle_fails();
  __raddle_fill_template(template, x, makes);
  return makes ? template : 0;
}

/* A template that cannot be filled in becomes empty. */
char *mktemp(char *template)
{
  char *x = __raddle_to_be_filled(template, 0);
  if (x)
    __raddle_fill_template(template, x, 0);
  if (!x || __raddle_fails())
    *template = 0;
  return template;
}

int posix_openpt(int flags) { return __raddle_fails() ? -1 : __raddle_new_file(0, 1); }
int getpt(void) { return posix_openpt(0); }
int grantpt(int file) { return -__raddle_fails(); }
int unlockpt(int file) { return -__raddle_fails(); }

int ptsname_r(int file, char *name, size_t n)
{
  int error = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(error < 134);
  if (n == 0 && error == 0)
    error = 34;
  if (error)
    __raddle_errno = error;
  else
    __raddle_any_text(name, n < 32 ? n : 32);
  return error;
}

static char __raddle_terminal[32];
char *ptsname(int file) { return ptsname_r(file, __raddle_terminal, sizeof __raddle_terminal) ? 0 : __raddle_terminal; }

/* An absolute path. Without a place to go to, it is allocated. */
char *realpath(const char *path, char *to)
{
  if (!path) {
    __raddle_errno = 22;
    return 0;
  }
  if (__raddle_fails()) {
    if (to)
      __raddle_any_text(to, 16);
    return 0;
  }
  if (__VERIFIER_nondet_bool())
    __raddle_gap("a path with more than 15 characters");
  if (!to)
    to = malloc(16);
  to[0] = '/';
  __raddle_any_text(to + 1, 15);
  return to;
}

char *canonicalize_file_name(const char *path) { return realpath(path, 0); }

/* A program that runs meanwhile changes nothing here, but files. */
int system(const char *command)
{
  __raddle_files_go = 1;
  int status = __VERIFIER_nondet_int();
  if (status == -1 && command && !__raddle_fails())
    return 0;
  return status;
}

int getloadavg(double *averages, int n)
{
  int count = __VERIFIER_nondet_uchar();
  if (count > 3 || count > n)
    return -1;
  for (int i = 0; i < count; i++) {
    double average = __VERIFIER_nondet_double();
    __VERIFIER_assume(average >= 0 && average < 1e9);
    averages[i] = average;
  }
  return count;
}

/* In the "C" locale. */
int rpmatch(const char *answer) { return *answer == 'y' || *answer == 'Y' ? 1 : *answer == 'n' || *answer == 'N' ? 0 : -1; }
