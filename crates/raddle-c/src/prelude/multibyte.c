/* Multibyte characters in the "C" locale: a byte below 128 is a character, and no other is. There are no states. */

static size_t __raddle_no_character(void)
{
  __raddle_errno = 84;
  return -1;
}

int btowc(int c) { return c >= 0 && c < 128 ? c : -1; }
int wctob(unsigned c) { return c < 128 ? c : -1; }
int mbsinit(const void *state) { return 1; }

size_t mbrtowc(int *to, const char *s, size_t n, void *state)
{
  if (!s)
    return 0;
  if (n == 0)
    return -2;
  __raddle_byte c = *s;
  if (c >= 128)
    return __raddle_no_character();
  if (to)
    *to = c;
  return c != 0;
}

size_t mbrlen(const char *s, size_t n, void *state) { return mbrtowc(0, s, n, state); }

/* An empty string is looked at even where nothing may be. */
int mbtowc(int *to, const char *s, size_t n)
{
  return s && n == 0 && *s ? -1 : (int)mbrtowc(to, s, n ? n : 1, 0);
}

int mblen(const char *s, size_t n) { return mbtowc(0, s, n); }

size_t wcrtomb(char *to, int c, void *state)
{
  if (!to)
    return 1;
  if (c < 0 || c >= 128)
    return __raddle_no_character();
  *to = c;
  return 1;
}

int wctomb(char *to, int c) { return to ? (int)wcrtomb(to, c, 0) : 0; }

/* At most `n` characters from at most `most` bytes. Where they end is stored if they have a place to go to: null behind the last zero. */
size_t mbsnrtowcs(int *to, const char **from, size_t most, size_t n, void *state)
{
  const char *s = *from;
  size_t i = 0;
  for (; i < most && (!to || i < n); i++) {
    if ((__raddle_byte)s[i] >= 128) {
      if (to)
        *from = s + i;
      return __raddle_no_character();
    }
    if (to)
      to[i] = s[i];
    if (!s[i]) {
      if (to)
        *from = 0;
      return i;
    }
  }
  if (to)
    *from = s + i;
  return i;
}

size_t wcsnrtombs(char *to, const int **from, size_t most, size_t n, void *state)
{
  const int *s = *from;
  size_t i = 0;
  for (; i < most && (!to || i < n); i++) {
    if (s[i] < 0 || s[i] >= 128) {
      if (to)
        *from = s + i;
      return __raddle_no_character();
    }
    if (to)
      to[i] = s[i];
    if (!s[i]) {
      if (to)
        *from = 0;
      return i;
    }
  }
  if (to)
    *from = s + i;
  return i;
}

size_t mbsrtowcs(int *to, const char **from, size_t n, void *state) { return mbsnrtowcs(to, from, -1, n, state); }
size_t wcsrtombs(char *to, const int **from, size_t n, void *state) { return wcsnrtombs(to, from, -1, n, state); }
size_t mbstowcs(int *to, const char *s, size_t n) { return mbsnrtowcs(to, &s, -1, n, 0); }
size_t wcstombs(char *to, const int *s, size_t n) { return wcsnrtombs(to, &s, -1, n, 0); }
