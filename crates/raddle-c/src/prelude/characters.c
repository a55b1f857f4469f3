/* <ctype.h> in the "C" locale, and comparison of strings without regard to case. */

int isdigit(int c) { return c >= '0' && c <= '9'; }
int isupper(int c) { return c >= 'A' && c <= 'Z'; }
int islower(int c) { return c >= 'a' && c <= 'z'; }
int isalpha(int c) { return isupper(c) || islower(c); }
int isalnum(int c) { return isalpha(c) || isdigit(c); }
int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int isxdigit(int c) { return isdigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
int isprint(int c) { return c >= 32 && c < 127; }
int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c); }
int isgraph(int c) { return c > 32 && c < 127; }
int isblank(int c) { return c == ' ' || c == '\t'; }
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
int tolower(int c) { return isupper(c) ? c + 32 : c; }
int toupper(int c) { return islower(c) ? c - 32 : c; }

/* What glibc's <ctype.h> looks into, for characters from -128 on; the bits are those of its `_ISupper` and so on. */
static const unsigned short __raddle_classes[384] = {
  [128 ... 136] = 0x0002, [137] = 0x2003, [138 ... 141] = 0x2002, [142 ... 159] = 0x0002, [160] = 0x6001,
  [161 ... 175] = 0xc004, [176 ... 185] = 0xd808, [186 ... 192] = 0xc004, [193 ... 198] = 0xd508, [199 ... 218] = 0xc508,
  [219 ... 224] = 0xc004, [225 ... 230] = 0xd608, [231 ... 250] = 0xc608, [251 ... 254] = 0xc004, [255] = 0x0002,
};
static const unsigned short *__raddle_classes_from_zero = __raddle_classes + 128;
const unsigned short **__ctype_b_loc(void) { return &__raddle_classes_from_zero; }

int strncasecmp(const char *a, const char *b, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    int x = tolower((__raddle_byte)a[i]), y = tolower((__raddle_byte)b[i]);
    if (x != y || !x)
      return x - y;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, -1); }
