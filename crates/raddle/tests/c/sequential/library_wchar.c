// <wchar.h> and <wctype.h> on strings from a generator.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static unsigned seed = 2;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static wchar_t *fill(wchar_t *to, unsigned most) {
  unsigned n = next(most);
  for (unsigned i = 0; i < n; i++) to[i] = L"abcAB\x20ac"[next(6)];
  to[n] = 0;
  return to;
}
static int sign(int x) { return (x > 0) - (x < 0); }
static long at(const wchar_t *base, const wchar_t *p) { return p ? p - base : -1; }
static unsigned sum(const wchar_t *s, size_t n) {
  unsigned value = 7;
  for (size_t i = 0; i < n; i++) value = value * 31 + s[i];
  return value;
}

static void strings(void) {
  wchar_t a[40], b[40], c[40], *rest, *part;
  for (int i = 0; i < 30; i++) {
    fill(a, 14);
    fill(b, 4);
    wchar_t w = b[0] ? b[0] : L'c';
    size_t n = next(6), length = wcslen(a);
    printf("%ld %ld %ld %ld ", at(a, wcschr(a, w)), at(a, wcsrchr(a, w)), at(a, wcschrnul(a, w)), at(a, wcsstr(a, b)));
    printf("%ld %zu %zu %ld %zu ", at(a, wcspbrk(a, b)), wcsspn(a, b), wcscspn(a, b), at(a, wmemchr(a, w, length)), wcsnlen(a, n));
    printf("%d %d %d %d ", sign(wcscmp(a, b)), sign(wcsncmp(a, b, n)), sign(wcscasecmp(a, b)), sign(wcsncasecmp(a, b, n)));
    printf("%d %d ", sign(wcscoll(a, b)), sign(wmemcmp(a, b, 1)));
    wmemset(c, L'-', 40);
    printf("%ld ", at(c, wcpcpy(c, a)));
    printf("%ld ", at(c, wcpncpy(c + 1, b, n)));
    printf("%u ", sum(c, 40));
    printf("%ld ", at(c, wcsncpy(c + 20, a, n)));
    printf("%ld ", at(c, wmempcpy(c + 30, a, n)));
    wmemmove(c + 2, c, 12);
    wmemmove(c, c + 1, 12);
    printf("%u ", sum(c, 40));
    wcscpy(c, L"x");
    wcsncat(c, a, n);
    wcscat(c, b);
    printf("%u ", sum(c, wcslen(c)));
    printf("%zu\n", wcsxfrm(c + 30, b, 4));
    for (part = wcstok(a, L"bB", &rest); part; part = wcstok(0, L"bB", &rest)) printf("[%u]", sum(part, wcslen(part)));
  }
  wchar_t *copy = wcsdup(L"copy");
  printf("%zu %d %d\n", wcslen(copy), wcswidth(L"copy", 9), wcswidth(L"co\np", 9));
  free(copy);
}

static void numbers(void) {
  const wchar_t *texts[] = {L"12", L" -0x1fz", L"99999999999999999999", L"-99999999999999999999", L"x", L"077", L"1.5e3", L"-0x1.8p2", L"inf", L"1e999"};
  for (int i = 0; i < 10; i++) {
    wchar_t *end;
    errno = 0;
    long a = wcstol(texts[i], &end, 0);
    printf("%ld %ld %d ", a, at(texts[i], end), errno);
    errno = 0;
    unsigned long long b = wcstoull(texts[i], &end, 10);
    printf("%llu %ld %d ", b, at(texts[i], end), errno);
    printf("%lu %lld ", wcstoul(texts[i], 0, 16), wcstoll(texts[i], 0, 8));
    errno = 0;
    double d = wcstod(texts[i], &end);
    printf("%.17g %ld %d ", d, at(texts[i], end), errno);
    printf("%g %Lg\n", wcstof(texts[i], 0), wcstold(texts[i], 0));
  }
}

static void classes(void) {
  static const char *names[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "other"};
  for (int c = -1; c < 300; c += c < 130 ? 1 : 13) {
    printf("%d%d%d%d%d%d", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c), !!iswdigit(c), !!iswgraph(c));
    printf("%d%d%d%d%d%d", !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c), !!iswxdigit(c));
    printf(" %d %d %d %d %d\n", towlower(c), towupper(c), wcwidth(c), btowc(c & 127), wctob(c));
  }
  for (int i = 0; i < 13; i++)
    for (int c = 0; c < 130; c += 7) printf("%d", !!iswctype(c, wctype(names[i])));
  printf("%d %d %d\n", towctrans('a', wctrans("toupper")), towctrans('A', wctrans("tolower")), wctrans("other") == 0);
}

static void multibyte(void) {
  static const char *texts[] = {"", "a", "abc", "ab\xe9" "c", "\xff"};
  for (int i = 0; i < 5; i++) {
    wchar_t w = 5, ws[8] = {9, 9, 9, 9, 9};
    char s[8] = "-------";
    const char *from = texts[i];
    mbstate_t state = {0};
    for (int n = 0; n < 5; n++) {
      errno = 0;
      int a = mblen(texts[i], n), b = mbtowc(&w, texts[i], n);
      printf("%d %d %d %d ", a, b, w, errno);
      errno = 0;
      long c = mbstowcs(ws, texts[i], n), all = mbstowcs(0, texts[i], 0);
      printf("%ld %ld %d %u ", c, all, errno, sum(ws, 8));
      c = mbsrtowcs(ws, &from, n, &state);
      printf("%ld %ld\n", c, from ? (long)(from - texts[i]) : -1);
      from = texts[i];
      printf("%ld %ld %d ", (long)mbrtowc(&w, texts[i], n, &state), (long)mbrlen(texts[i], n, &state), mbsinit(&state));
    }
  }
  const wchar_t *wide[] = {L"", L"ab", L"a\x20ac", L"\x80"};
  for (int i = 0; i < 4; i++) {
    char s[8] = "-------";
    mbstate_t state = {0};
    for (int n = 0; n < 4; n++) {
      errno = 0;
      int a = wctomb(s, wide[i][0]);
      long b = wcstombs(s, wide[i], n), all = wcstombs(0, wide[i], 0);
      printf("%d %ld %ld %d ", a, b, all, errno);
      const wchar_t *from = wide[i];
      b = wcsrtombs(s, &from, n, &state);
      long c = wcrtomb(s, wide[i][0], &state);
      printf("%ld %ld %ld %d %d %d\n", b, from ? (long)(from - wide[i]) : -1, c, s[0], s[1], s[2]);
    }
  }
}

int main(void) {
  strings();
  numbers();
  classes();
  multibyte();
  return 0;
}
