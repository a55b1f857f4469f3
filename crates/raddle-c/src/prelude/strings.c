/* <string.h> and <strings.h>: memory and strings. */

void *memcpy(void *to, const void *from, size_t n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  for (size_t i = 0; i < n; i++)
    t[i] = f[i];
  return to;
}

void *mempcpy(void *to, const void *from, size_t n)
{
  return (__raddle_byte *)memcpy(to, from, n) + n;
}

void *memmove(void *to, const void *from, size_t n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  if (t <= f)
    for (size_t i = 0; i < n; i++)
      t[i] = f[i];
  else
    for (size_t i = n; i > 0; i--)
      t[i - 1] = f[i - 1];
  return to;
}

void *memset(void *to, int value, size_t n)
{
  __raddle_byte *t = to;
  for (size_t i = 0; i < n; i++)
    t[i] = (__raddle_byte)value;
  return to;
}

void bzero(void *to, size_t n) { memset(to, 0, n); }
void explicit_bzero(void *to, size_t n) { memset(to, 0, n); }
void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }

/* Up to a byte, which is copied as well. */
void *memccpy(void *to, const void *from, int last, size_t n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  for (size_t i = 0; i < n; i++) {
    t[i] = f[i];
    if (t[i] == (__raddle_byte)last)
      return t + i + 1;
  }
  return 0;
}

/* Pairs of bytes change places; a last single byte is not copied. */
void swab(const void *from, void *to, long n)
{
  __raddle_byte *t = to;
  const __raddle_byte *f = from;
  for (long i = 0; i + 1 < n; i += 2) {
    __raddle_byte first = f[i];
    t[i] = f[i + 1];
    t[i + 1] = first;
  }
}

void *memfrob(void *memory, size_t n)
{
  __raddle_byte *m = memory;
  for (size_t i = 0; i < n; i++)
    m[i] ^= 42;
  return memory;
}

static int __raddle_memory_order(const void *a, const void *b, size_t n)
{
  const __raddle_byte *p = a, *q = b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y)
      return x - y;
  }
  return 0;
}

int memcmp(const void *a, const void *b, size_t n) { return __raddle_order(__raddle_memory_order(a, b, n)); }
int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *in, int value, size_t n)
{
  const __raddle_byte *p = in;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (__raddle_byte)value)
      return (void *)(p + i);
  return 0;
}

void *memrchr(const void *in, int value, size_t n)
{
  const __raddle_byte *p = in;
  for (size_t i = n; i > 0; i--)
    if (p[i - 1] == (__raddle_byte)value)
      return (void *)(p + i - 1);
  return 0;
}

void *rawmemchr(const void *in, int value)
{
  const __raddle_byte *p = in;
  while (*p != (__raddle_byte)value)
    p++;
  return (void *)p;
}

void *memmem(const void *in, size_t n, const void *part, size_t m)
{
  const __raddle_byte *p = in;
  for (size_t i = 0; i + m <= n; i++)
    if (!__raddle_memory_order(p + i, part, m))
      return (void *)(p + i);
  return 0;
}

size_t strlen(const char *s)
{
  size_t n = 0;
  while (s[n])
    n++;
  return n;
}

size_t strnlen(const char *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

char *strcpy(char *to, const char *from)
{
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to;
}

char *stpcpy(char *to, const char *from)
{
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to + i;
}

char *strncpy(char *to, const char *from, size_t n)
{
  size_t i = 0;
  for (; i < n && from[i]; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

char *stpncpy(char *to, const char *from, size_t n)
{
  strncpy(to, from, n);
  return to + strnlen(to, n);
}

char *strcat(char *to, const char *from)
{
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n)
{
  char *t = to + strlen(to);
  size_t i = 0;
  for (; i < n && from[i]; i++)
    t[i] = from[i];
  t[i] = 0;
  return to;
}

/* As much as there is room for `n` characters with the last zero; the length that was tried. */
size_t strlcpy(char *to, const char *from, size_t n)
{
  size_t i = 0;
  for (; i + 1 < n && from[i]; i++)
    to[i] = from[i];
  if (n > 0)
    to[i] = 0;
  return i + strlen(from + i);
}

size_t strlcat(char *to, const char *from, size_t n)
{
  size_t had = strnlen(to, n);
  return had + (had == n ? strlen(from) : strlcpy(to + had, from, n - had));
}

int __raddle_string_order(const char *a, const char *b, size_t n)
{
  const __raddle_byte *p = (const __raddle_byte *)a, *q = (const __raddle_byte *)b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

int strcmp(const char *a, const char *b) { return __raddle_order(__raddle_string_order(a, b, -1)); }
int strncmp(const char *a, const char *b, size_t n) { return __raddle_order(__raddle_string_order(a, b, n)); }

/* In the "C" locale. */
int strcoll(const char *a, const char *b) { return strcmp(a, b); }
int strcoll_l(const char *a, const char *b, void *locale) { return strcmp(a, b); }

size_t strxfrm(char *to, const char *from, size_t n)
{
  size_t length = strlen(from);
  memcpy(to, from, length < n ? length + 1 : n);
  return length;
}

size_t strxfrm_l(char *to, const char *from, size_t n, void *locale) { return strxfrm(to, from, n); }

char *strchr(const char *s, int c)
{
  for (;; s++) {
    if (*s == (char)c)
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strchrnul(const char *s, int c)
{
  while (*s && *s != (char)c)
    s++;
  return (char *)s;
}

char *strrchr(const char *s, int c)
{
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

/* GNU's: that of POSIX has another name. */
char *basename(const char *path)
{
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : (char *)path;
}

size_t strspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && strchr(set, s[n]))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set)
{
  size_t n = 0;
  while (s[n] && !strchr(set, s[n]))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set)
{
  s += strcspn(s, set);
  return *s ? (char *)s : 0;
}

char *strstr(const char *s, const char *part)
{
  size_t n = strlen(part);
  for (;; s++) {
    if (!__raddle_string_order(s, part, n))
      return (char *)s;
    if (!*s)
      return 0;
  }
}

char *strdup(const char *s)
{
  size_t n = strlen(s) + 1;
  return memcpy(malloc(n), s, n);
}

char *strndup(const char *s, size_t most)
{
  size_t n = strnlen(s, most);
  char *copy = malloc(n + 1);
  memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

/* Any permutation. */
char *strfry(char *s)
{
  for (size_t i = 0, n = strlen(s); i + 1 < n; i++) {
    size_t j = i;
    while (j + 1 < n && __VERIFIER_nondet_bool())
      j++;
    char c = s[i];
    s[i] = s[j];
    s[j] = c;
  }
  return s;
}

/* Ends a string at this place, and returns where the next one begins. */
static char *__raddle_cut(char *end)
{
  if (!*end)
    return 0;
  *end = 0;
  return end + 1;
}

static char *__raddle_token;

char *strtok_r(char *s, const char *set, char **rest)
{
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set), *next = __raddle_cut(end);
  *rest = next ? next : end;
  return end == s ? 0 : s;
}

char *strtok(char *s, const char *set) { return strtok_r(s, set, &__raddle_token); }

char *strsep(char **rest, const char *set)
{
  char *s = *rest;
  if (s)
    *rest = __raddle_cut(s + strcspn(s, set));
  return s;
}

int ffs(int x) { return __builtin_ffs(x); }
int ffsl(long x) { return __builtin_ffsl(x); }
int ffsll(long long x) { return __builtin_ffsll(x); }
