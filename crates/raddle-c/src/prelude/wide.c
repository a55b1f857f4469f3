/* <wchar.h> and <wctype.h>: wide characters and strings of them in the "C" locale, where only ASCII has meaning. */

typedef int __raddle_wchar;

__raddle_wchar *wmemcpy(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = from[i];
  return to;
}

__raddle_wchar *wmempcpy(__raddle_wchar *to, const __raddle_wchar *from, size_t n) { return wmemcpy(to, from, n) + n; }

__raddle_wchar *wmemmove(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  if (to <= from)
    return wmemcpy(to, from, n);
  for (size_t i = n; i > 0; i--)
    to[i - 1] = from[i - 1];
  return to;
}

__raddle_wchar *wmemset(__raddle_wchar *to, __raddle_wchar c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    to[i] = c;
  return to;
}

int wmemcmp(const __raddle_wchar *a, const __raddle_wchar *b, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return __raddle_order(a[i] < b[i] ? -1 : 1);
  return 0;
}

__raddle_wchar *wmemchr(const __raddle_wchar *s, __raddle_wchar c, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (s[i] == c)
      return (__raddle_wchar *)s + i;
  return 0;
}

size_t wcsnlen(const __raddle_wchar *s, size_t most)
{
  size_t n = 0;
  while (n < most && s[n])
    n++;
  return n;
}

size_t wcslen(const __raddle_wchar *s) { return wcsnlen(s, -1); }

__raddle_wchar *wcpcpy(__raddle_wchar *to, const __raddle_wchar *from)
{
  size_t i = 0;
  while ((to[i] = from[i]) != 0)
    i++;
  return to + i;
}

__raddle_wchar *wcscpy(__raddle_wchar *to, const __raddle_wchar *from)
{
  wcpcpy(to, from);
  return to;
}

__raddle_wchar *wcpncpy(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  size_t length = wcsnlen(from, n);
  wmemcpy(to, from, length);
  wmemset(to + length, 0, n - length);
  return to + length;
}

__raddle_wchar *wcsncpy(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  wcpncpy(to, from, n);
  return to;
}

__raddle_wchar *wcscat(__raddle_wchar *to, const __raddle_wchar *from)
{
  wcpcpy(to + wcslen(to), from);
  return to;
}

__raddle_wchar *wcsncat(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  size_t had = wcslen(to), more = wcsnlen(from, n);
  wmemcpy(to + had, from, more);
  to[had + more] = 0;
  return to;
}

size_t wcslcpy(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  size_t length = wcslen(from), copied = length < n ? length : n - 1;
  if (n > 0) {
    wmemcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t wcslcat(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  size_t had = wcsnlen(to, n);
  return had + (had == n ? wcslen(from) : wcslcpy(to + had, from, n - had));
}

__raddle_wchar *wcsdup(const __raddle_wchar *s)
{
  size_t n = wcslen(s) + 1;
  return wmemcpy(malloc(n * sizeof *s), s, n);
}

static int __raddle_wide_order(const __raddle_wchar *a, const __raddle_wchar *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
    if (!a[i])
      break;
  }
  return 0;
}

int wcsncmp(const __raddle_wchar *a, const __raddle_wchar *b, size_t n) { return __raddle_order(__raddle_wide_order(a, b, n)); }
int wcscmp(const __raddle_wchar *a, const __raddle_wchar *b) { return wcsncmp(a, b, -1); }
int wcscoll(const __raddle_wchar *a, const __raddle_wchar *b) { return wcscmp(a, b); }
int wcscoll_l(const __raddle_wchar *a, const __raddle_wchar *b, void *locale) { return wcscmp(a, b); }

size_t wcsxfrm(__raddle_wchar *to, const __raddle_wchar *from, size_t n)
{
  size_t length = wcslen(from);
  wmemcpy(to, from, length < n ? length + 1 : n);
  return length;
}

size_t wcsxfrm_l(__raddle_wchar *to, const __raddle_wchar *from, size_t n, void *locale) { return wcsxfrm(to, from, n); }

__raddle_wchar *wcschrnul(const __raddle_wchar *s, __raddle_wchar c)
{
  while (*s && *s != c)
    s++;
  return (__raddle_wchar *)s;
}

__raddle_wchar *wcschr(const __raddle_wchar *s, __raddle_wchar c)
{
  __raddle_wchar *found = wcschrnul(s, c);
  return *found == c ? found : 0;
}

__raddle_wchar *wcsrchr(const __raddle_wchar *s, __raddle_wchar c)
{
  for (size_t i = wcslen(s) + 1; i > 0; i--)
    if (s[i - 1] == c)
      return (__raddle_wchar *)s + i - 1;
  return 0;
}

size_t wcsspn(const __raddle_wchar *s, const __raddle_wchar *set)
{
  size_t n = 0;
  while (s[n] && wcschr(set, s[n]))
    n++;
  return n;
}

size_t wcscspn(const __raddle_wchar *s, const __raddle_wchar *set)
{
  size_t n = 0;
  while (s[n] && !wcschr(set, s[n]))
    n++;
  return n;
}

__raddle_wchar *wcspbrk(const __raddle_wchar *s, const __raddle_wchar *set)
{
  s += wcscspn(s, set);
  return *s ? (__raddle_wchar *)s : 0;
}

__raddle_wchar *wcsstr(const __raddle_wchar *s, const __raddle_wchar *part)
{
  size_t n = wcslen(part);
  for (;; s++) {
    if (!__raddle_wide_order(s, part, n))
      return (__raddle_wchar *)s;
    if (!*s)
      return 0;
  }
}

__raddle_wchar *wcswcs(const __raddle_wchar *s, const __raddle_wchar *part) { return wcsstr(s, part); }

__raddle_wchar *wcstok(__raddle_wchar *s, const __raddle_wchar *set, __raddle_wchar **rest)
{
  if (!s)
    s = *rest;
  if (!s)
    return 0;
  s += wcsspn(s, set);
  __raddle_wchar *end = wcspbrk(s, set);
  *rest = end ? end + 1 : 0;
  if (end)
    *end = 0;
  return *s ? s : 0;
}

/* ---- classes: a wide character beyond ASCII is of none ---- */

int iswdigit(unsigned c) { return isdigit(c); }
int iswupper(unsigned c) { return isupper(c); }
int iswlower(unsigned c) { return islower(c); }
int iswalpha(unsigned c) { return isalpha(c); }
int iswalnum(unsigned c) { return isalnum(c); }
int iswspace(unsigned c) { return isspace(c); }
int iswxdigit(unsigned c) { return isxdigit(c); }
int iswprint(unsigned c) { return isprint(c); }
int iswpunct(unsigned c) { return ispunct(c); }
int iswgraph(unsigned c) { return isgraph(c); }
int iswblank(unsigned c) { return isblank(c); }
int iswcntrl(unsigned c) { return iscntrl(c); }
unsigned towlower(unsigned c) { return isupper(c) ? c + 32 : c; }
unsigned towupper(unsigned c) { return islower(c) ? c - 32 : c; }

int iswdigit_l(unsigned c, void *locale) { return isdigit(c); }
int iswupper_l(unsigned c, void *locale) { return isupper(c); }
int iswlower_l(unsigned c, void *locale) { return islower(c); }
int iswalpha_l(unsigned c, void *locale) { return isalpha(c); }
int iswalnum_l(unsigned c, void *locale) { return isalnum(c); }
int iswspace_l(unsigned c, void *locale) { return isspace(c); }
int iswxdigit_l(unsigned c, void *locale) { return isxdigit(c); }
int iswprint_l(unsigned c, void *locale) { return isprint(c); }
int iswpunct_l(unsigned c, void *locale) { return ispunct(c); }
int iswgraph_l(unsigned c, void *locale) { return isgraph(c); }
int iswblank_l(unsigned c, void *locale) { return isblank(c); }
int iswcntrl_l(unsigned c, void *locale) { return iscntrl(c); }
unsigned towlower_l(unsigned c, void *locale) { return towlower(c); }
unsigned towupper_l(unsigned c, void *locale) { return towupper(c); }

static const char *const __raddle_class_names[12] = {
  "digit", "upper", "lower", "alpha", "alnum", "space", "xdigit", "print", "punct", "graph", "blank", "cntrl",
};

static _Bool __raddle_is_text(const char *a, const char *b) { return !__raddle_string_order(a, b, -1); }

unsigned long wctype(const char *name)
{
  for (int i = 0; i < 12; i++)
    if (__raddle_is_text(name, __raddle_class_names[i]))
      return i + 1;
  return 0;
}

int iswctype(unsigned c, unsigned long class)
{
  switch (class) {
  case 1: return isdigit(c);
  case 2: return isupper(c);
  case 3: return islower(c);
  case 4: return isalpha(c);
  case 5: return isalnum(c);
  case 6: return isspace(c);
  case 7: return isxdigit(c);
  case 8: return isprint(c);
  case 9: return ispunct(c);
  case 10: return isgraph(c);
  case 11: return isblank(c);
  case 12: return iscntrl(c);
  default: return 0;
  }
}

/* A mapping is a pointer to one of two objects. */
static const int __raddle_to_lower, __raddle_to_upper;

const int *wctrans(const char *name)
{
  return __raddle_is_text(name, "tolower") ? &__raddle_to_lower : __raddle_is_text(name, "toupper") ? &__raddle_to_upper : 0;
}

unsigned towctrans(unsigned c, const int *mapping)
{
  return mapping == &__raddle_to_lower ? towlower(c) : mapping == &__raddle_to_upper ? towupper(c) : c;
}

unsigned long wctype_l(const char *name, void *locale) { return wctype(name); }
int iswctype_l(unsigned c, unsigned long class, void *locale) { return iswctype(c, class); }
const int *wctrans_l(const char *name, void *locale) { return wctrans(name); }
unsigned towctrans_l(unsigned c, const int *mapping, void *locale) { return towctrans(c, mapping); }

int wcsncasecmp(const __raddle_wchar *a, const __raddle_wchar *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    __raddle_wchar x = towlower(a[i]), y = towlower(b[i]);
    if (x != y)
      return __raddle_order(x < y ? -1 : 1);
    if (!x)
      break;
  }
  return 0;
}

int wcscasecmp(const __raddle_wchar *a, const __raddle_wchar *b) { return wcsncasecmp(a, b, -1); }
int wcscasecmp_l(const __raddle_wchar *a, const __raddle_wchar *b, void *locale) { return wcscasecmp(a, b); }
int wcsncasecmp_l(const __raddle_wchar *a, const __raddle_wchar *b, size_t n, void *locale) { return wcsncasecmp(a, b, n); }

int wcwidth(__raddle_wchar c) { return c == 0 ? 0 : isprint(c) ? 1 : -1; }

int wcswidth(const __raddle_wchar *s, size_t n)
{
  int width = 0;
  for (size_t i = 0; i < n && s[i]; i++) {
    if (wcwidth(s[i]) < 0)
      return -1;
    width++;
  }
  return width;
}
