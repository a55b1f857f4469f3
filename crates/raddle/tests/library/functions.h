#define _GNU_SOURCE
#include <argz.h>
#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include <wordexp.h>

extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern int __xpg_strerror_r(int, char *, size_t);
extern char *dirname(char *);
static FILE *told;
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void nothing(void) { }
static void nothing_at_exit(int status, void *argument) { }
static int formatted(char *to, size_t n, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  int length = vsnprintf(to, n, format, list);
  va_end(list);
  return length;
}
