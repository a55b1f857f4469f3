// Character and string literals: escapes, multi-character, wide, UTF-8, UTF-16, UTF-32, universal names.
#include <stdio.h>
#include <stddef.h>
#include <uchar.h>
int caf\u00e9 = 3;
int $dollar$ = 4, a$b = 5;
int main(void) {
  printf("%d %d %d %d\n", 'a', '\n', '\'', '\377');
  printf("%d %d %d\n", '\x7f', '\0', '\101');
  printf("%x %x\n", 'ab', 'abcd');
  printf("%d %d %d\n", L'x', (int)L'\u20ac', (int)sizeof(L'x'));
  printf("%d %d %d\n", u'\u20ac', U'\U0001f600', (int)sizeof(u'x'));
  wchar_t wide[] = L"h\u00e9\U0001f600";
  char16_t sixteen[] = u"h\U0001f600";
  char32_t thirtytwo[] = U"h\U0001f600";
  char eight[] = u8"h\u00e9\u20ac";
  printf("%d %d %d %d\n", (int)(sizeof wide / sizeof *wide), wide[0], wide[1], wide[2]);
  printf("%d %x %x\n", (int)(sizeof sixteen / sizeof *sixteen), sixteen[1], sixteen[2]);
  printf("%d %x\n", (int)(sizeof thirtytwo / sizeof *thirtytwo), thirtytwo[1]);
  for (unsigned i = 0; i < sizeof eight; i++) printf("%02x ", (unsigned char)eight[i]);
  putchar('\n');
  printf("%s %d\n", "gr\u00fc\u00dfe é", (int)sizeof "é");
  const wchar_t *joined = L"a" "b" L"c";
  printf("%d %d\n", (int)joined[2], (int)joined[3]);
  wchar_t fixed[3] = L"abc";
  printf("%d %d %d\n", (int)fixed[2], (int)sizeof fixed, L"xyz"[1]);
  printf("%d %d\n", '\e', "\x41" "B"[0] != 0);
  printf("%c%c??%c\n", '\"', '"', '\?');
  return caf\u00e9 * 100 + $dollar$ * 10 + a$b - 300;
}
