/* <ctype.h> in the "C" locale, and comparison of strings without regard to case. */

/* What is true is the bit that glibc's <ctype.h> has for it. */
int isdigit(int c) { return c >= '0' && c <= '9' ? 0x800 : 0; }
int isupper(int c) { return c >= 'A' && c <= 'Z' ? 0x100 : 0; }
int islower(int c) { return c >= 'a' && c <= 'z' ? 0x200 : 0; }
int isalpha(int c) { return isupper(c) || islower(c) ? 0x400 : 0; }
int isalnum(int c) { return isalpha(c) || isdigit(c) ? 8 : 0; }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r') ? 0x2000 : 0; }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') ? 0x1000 : 0; }
int isprint(int c) { return c >= 32 && c < 127 ? 0x4000 : 0; }
int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c) ? 4 : 0; }
int isgraph(int c) { return c > 32 && c < 127 ? 0x8000 : 0; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127 ? 2 : 0; }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }

/* From -128 on, negative characters stand for bytes; -1 is EOF. */
static int __raddle_as_byte(int c) { return c >= -128 && c < -1 ? c + 256 : c; }
int tolower(int c) { return isupper(c) ? c + 32 : __raddle_as_byte(c); }
int toupper(int c) { return islower(c) ? c - 32 : __raddle_as_byte(c); }
int _tolower(int c) { return tolower(c); }
int _toupper(int c) { return toupper(c); }

int isdigit_l(int c, void *locale) { return isdigit(c); }
int isupper_l(int c, void *locale) { return isupper(c); }
int islower_l(int c, void *locale) { return islower(c); }
int isalpha_l(int c, void *locale) { return isalpha(c); }
int isalnum_l(int c, void *locale) { return isalnum(c); }
int isspace_l(int c, void *locale) { return isspace(c); }
int isxdigit_l(int c, void *locale) { return isxdigit(c); }
int isprint_l(int c, void *locale) { return isprint(c); }
int ispunct_l(int c, void *locale) { return ispunct(c); }
int isgraph_l(int c, void *locale) { return isgraph(c); }
int isblank_l(int c, void *locale) { return isblank(c); }
int iscntrl_l(int c, void *locale) { return iscntrl(c); }
int tolower_l(int c, void *locale) { return tolower(c); }
int toupper_l(int c, void *locale) { return toupper(c); }

/* What glibc's <ctype.h> looks into, for characters from -128 on; the bits are those of its `_ISupper` and so on. */
static const unsigned short __raddle_classes[384] = {
  [128 ... 136] = 0x0002, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x0002, [160] = 0x6001,
  [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004, [193 ... 198] = 0xd508, [199 ... 218] = 0xc508,
  [219 ... 224] = 0xc004, [225 ... 230] = 0xd608, [231 ... 250] = 0xc608, [251 ... 254] = 0xc004, [255] = 0x0002,
};
static const unsigned short *__raddle_classes_from_zero = __raddle_classes + 128;
const unsigned short **__ctype_b_loc(void) { return &__raddle_classes_from_zero; }

/* Its tables of small and of capital letters, made where they are first asked for. */
static int __raddle_small[384], __raddle_capital[384];
static const int *__raddle_small_from_zero, *__raddle_capital_from_zero;

static void __raddle_make_letters(void)
{
  __VERIFIER_atomic_begin();
  if (!__raddle_small_from_zero) {
    for (int i = 0; i < 384; i++) {
      __raddle_small[i] = tolower(i - 128);
      __raddle_capital[i] = toupper(i - 128);
    }
    __raddle_small_from_zero = __raddle_small + 128;
    __raddle_capital_from_zero = __raddle_capital + 128;
  }
  __VERIFIER_atomic_end();
}

const int **__ctype_tolower_loc(void)
{
  __raddle_make_letters();
  return &__raddle_small_from_zero;
}

const int **__ctype_toupper_loc(void)
{
  __raddle_make_letters();
  return &__raddle_capital_from_zero;
}

int __isctype(int c, int class) { return __raddle_classes[c + 128] & class; }
int isctype(int c, int class) { return __isctype(c, class); }

static int __raddle_caseless_order(const char *a, const char *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    int x = tolower((__raddle_byte)a[i]), y = tolower((__raddle_byte)b[i]);
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

int strncasecmp(const char *a, const char *b, size_t n) { return __raddle_order(__raddle_caseless_order(a, b, n)); }
int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, -1); }
int strcasecmp_l(const char *a, const char *b, void *locale) { return strcasecmp(a, b); }
int strncasecmp_l(const char *a, const char *b, size_t n, void *locale) { return strncasecmp(a, b, n); }

char *strcasestr(const char *s, const char *part)
{
  size_t n = strlen(part);
  for (;; s++) {
    if (!__raddle_caseless_order(s, part, n))
      return (char *)s;
    if (!*s)
      return 0;
  }
}

static long __raddle_digits(const char *s, size_t from)
{
  size_t n = from;
  while (isdigit(s[n]))
    n++;
  return n - from;
}

/* Where two strings differ, the digits around that place count as one number: with a zero in front as what follows a decimal point, otherwise as an
   integer. */
static int __raddle_version_order(const char *a, const char *b)
{
  size_t i = 0;
  while (a[i] && a[i] == b[i])
    i++;
  int order = (__raddle_byte)a[i] - (__raddle_byte)b[i];
  size_t start = i;
  while (start > 0 && isdigit(a[start - 1]))
    start--;
  if (order == 0 || (start == i && (!isdigit(a[i]) || !isdigit(b[i]))))
    return order;
  if (a[start] != '0' && b[start] != '0') {
    long longer = __raddle_digits(a, i) - __raddle_digits(b, i);
    return longer ? longer : order;
  }
  size_t zeros = start;
  while (zeros < i && a[zeros] == '0')
    zeros++;
  if (zeros == i && start < i && !isdigit(a[i]) != !isdigit(b[i]))
    return isdigit(a[i]) ? -1 : 1;
  return order;
}

int strverscmp(const char *a, const char *b) { return __raddle_order(__raddle_version_order(a, b)); }
