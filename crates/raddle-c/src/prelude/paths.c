/* <libgen.h>: parts of a path, in its own memory. */

static char __raddle_here[] = ".";

/* Without slashes at the end; one alone stays. */
static size_t __raddle_path_length(const char *path, size_t n)
{
  while (n > 1 && path[n - 1] == '/')
    n--;
  return n;
}

char *dirname(char *path)
{
  size_t n = path ? __raddle_path_length(path, strlen(path)) : 0;
  while (n > 0 && path[n - 1] != '/')
    n--;
  if (n == 0)
    return __raddle_here;
  n = __raddle_path_length(path, n);
  /* Two slashes may mean something of their own. */
  if (n == 1 && path[0] == '/' && path[1] == '/' && path[2] != '/')
    n = 2;
  path[n] = 0;
  return path;
}

char *__xpg_basename(char *path)
{
  if (!path || !*path)
    return __raddle_here;
  size_t n = __raddle_path_length(path, strlen(path)), start = n;
  if (n == 1 && *path == '/')
    return path + strlen(path) - 1;
  path[n] = 0;
  while (start > 0 && path[start - 1] != '/')
    start--;
  return path + start;
}
