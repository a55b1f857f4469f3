#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

// Two strings and room for a result, of characters and of wide characters.
static char a[80], b[8], c[80], *p, *q;
static wchar_t x[40], y[8], z[80], *r, *s;
static int numbers[8], i, j;
static size_t n;
static double d;
static locale_t l;
static void set(const char *first, const char *second)
{
  for (int k = 0; k < 40; k++) a[k] = b[k % 8] = 0;
  for (int k = 0; k < 80; k++) c[k] = z[k] = '-';
  for (int k = 0; first[k]; k++) a[k] = first[k];
  for (int k = 0; second[k]; k++) b[k] = second[k];
  for (int k = 0; k < 40; k++) x[k] = a[k] > 0 ? a[k] : a[k] ? 0x20ac : 0;
  for (int k = 0; k < 8; k++) y[k] = b[k] > 0 ? b[k] : b[k] ? 0x20ac : 0;
  for (int k = 0; k < 8; k++) numbers[k] = (a[k] * 7 + k) % 5;
  p = q = 0; r = s = 0; i = j = errno = 0; n = 0; d = 0;
}
static int sign(int difference) { return (difference > 0) - (difference < 0); }
static long at(const void *base, const void *place) { return place ? (const char *)place - (const char *)base : -1; }
static unsigned sum(const void *memory)
{
  unsigned value = 7;
  for (size_t k = 0; k < 80; k++) value = value * 31 + ((const unsigned char *)memory)[k];
  return value;
}
static unsigned wide_sum(void)
{
  unsigned value = 7;
  for (size_t k = 0; k < 80; k++) value = value * 31 + z[k];
  return value;
}
static unsigned text(const char *s)
{
  unsigned value = 7;
  for (; *s; s++) value = value * 31 + *(const unsigned char *)s;
  return value;
}
static long long bits(double value)
{
  long long encoding;
  if (value != value) return -1;
  memcpy(&encoding, &value, sizeof value);
  return encoding;
}
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_int_and(const void *a, const void *b, void *order) { return *(int *)order * by_int(a, b); }
