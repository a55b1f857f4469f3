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

void bzero(void *to, size_t n)
{
  memset(to, 0, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
  const __raddle_byte *p = a, *q = b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y)
      return x - y;
  }
  return 0;
}

void *memchr(const void *in, int value, size_t n)
{
  const __raddle_byte *p = in;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (__raddle_byte)value)
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

int strcmp(const char *a, const char *b)
{
  const __raddle_byte *p = (const __raddle_byte *)a, *q = (const __raddle_byte *)b;
  for (size_t i = 0;; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y || !x)
      return x - y;
  }
}

int strncmp(const char *a, const char *b, size_t n)
{
  const __raddle_byte *p = (const __raddle_byte *)a, *q = (const __raddle_byte *)b;
  for (size_t i = 0; i < n; i++) {
    __raddle_byte x = p[i], y = q[i];
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

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
    if (!strncmp(s, part, n))
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

static char *__raddle_token;

char *strtok_r(char *s, const char *set, char **rest)
{
  if (!s)
    s = *rest;
  s += strspn(s, set);
  char *end = s + strcspn(s, set);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return end == s ? 0 : s;
}

char *strtok(char *s, const char *set) { return strtok_r(s, set, &__raddle_token); }
