/* <arpa/inet.h>: the order of bytes in networks, which is not this machine's, and addresses of version 4 as text. */

unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }

/* One to four numbers with dots between them, decimal, octal or hexadecimal; the last one fills all bytes that are left. A space ends the text. */
int inet_aton(const char *text, unsigned *address)
{
  unsigned parts = 0;
  for (int count = 1;; count++) {
    if (!isdigit(*text))
      return 0;
    unsigned base = *text != '0' ? 10 : text[1] == 'x' || text[1] == 'X' ? 16 : 8;
    unsigned long long number = 0;
    if (base == 16 && !isxdigit(text[2]))
      return 0;
    text += base == 16 ? 2 : 0;
    for (; base == 16 ? isxdigit(*text) : isdigit(*text); text++) {
      unsigned digit = isdigit(*text) ? *text - '0' : (*text | 32) - 'a' + 10;
      number = number * base + digit;
      if (digit >= base || number > 0xffffffff)
        return 0;
    }
    if (*text == '.') {
      if (count == 4 || number > 255)
        return 0;
      parts |= (unsigned)number << (32 - 8 * count);
      text++;
      continue;
    }
    if ((*text && !isspace(*text)) || number > 0xffffffffull >> 8 * (count - 1))
      return 0;
    if (address)
      *address = htonl(parts | (unsigned)number);
    return 1;
  }
}

unsigned inet_addr(const char *text)
{
  unsigned address;
  return inet_aton(text, &address) ? address : -1u;
}

static char *__raddle_dotted(unsigned address, char *to)
{
  for (int i = 0; i < 4; i++, address >>= 8) {
    unsigned byte = address & 255;
    if (byte >= 100)
      *to++ = '0' + byte / 100;
    if (byte >= 10)
      *to++ = '0' + byte / 10 % 10;
    *to++ = '0' + byte % 10;
    *to++ = i < 3 ? '.' : 0;
  }
  return to;
}

struct in_addr { unsigned s_addr; };
static __thread char __raddle_dotted_text[16];

char *inet_ntoa(struct in_addr address)
{
  __raddle_dotted(address.s_addr, __raddle_dotted_text);
  return __raddle_dotted_text;
}

static _Bool __raddle_is_version_4(int family)
{
  if (family == 10)
    __raddle_gap("addresses of version 6 as text");
  if (family == 2)
    return 1;
  __raddle_errno = 97;
  return 0;
}

const char *inet_ntop(int family, const void *address, char *to, unsigned room)
{
  char text[16];
  if (!__raddle_is_version_4(family))
    return 0;
  size_t n = __raddle_dotted(*(const unsigned *)address, text) - text;
  if (n > room) {
    __raddle_errno = 28;
    return 0;
  }
  return memcpy(to, text, n);
}

/* Four decimal numbers without zeros in front. */
int inet_pton(int family, const char *text, void *address)
{
  unsigned bytes = 0;
  if (!__raddle_is_version_4(family))
    return -1;
  for (int i = 0; i < 4; i++) {
    unsigned number = 0, digits = 0;
    for (; isdigit(*text); text++, digits++) {
      if (digits > 0 && number == 0)
        return 0;
      number = number * 10 + *text - '0';
      if (number > 255)
        return 0;
    }
    if (digits == 0 || *text != (i < 3 ? '.' : 0))
      return 0;
    text++;
    bytes |= number << 8 * i;
  }
  memcpy(address, &bytes, 4);
  return 1;
}
