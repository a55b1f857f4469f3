// qsort, qsort_r, bsearch, lfind, lsearch, insque and remque.
#define _GNU_SOURCE
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned seed = 3;
static unsigned next(unsigned n) { seed = seed * 1103515245 + 12345; return (seed >> 16) % n; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_factor(const void *a, const void *b, void *factor) { return (*(const short *)a - *(const short *)b) * *(int *)factor; }
struct item { struct item *next, *before; int value; };

int main(void) {
  for (int round = 0; round < 8; round++) {
    int a[24], n = next(20);
    short b[20];
    for (int i = 0; i < n; i++) a[i] = b[i] = next(30);
    qsort(a, n, sizeof *a, by_value);
    int factor = round % 2 ? 1 : -1;
    qsort_r(b, n, sizeof *b, by_factor, &factor);
    for (int i = 0; i < n; i++) printf("%d/%d ", a[i], b[i]);
    size_t count = n;
    for (int key = 0; key < 8; key++) {
      int *found = bsearch(&key, a, n, sizeof *a, by_value), *linear = lfind(&key, a, &count, sizeof *a, by_value);
      printf("%d %d, ", found ? *found : -1, linear ? (int)(linear - a) : -1);
    }
    for (int i = 0; i < 4; i++) {
      int key = next(40), *found = lsearch(&key, a, &count, sizeof *a, by_value);
      printf("%d %zu, ", (int)(found - a), count);
    }
    printf("\n");
  }
  struct item items[5];
  insque(&items[0], 0);
  for (int i = 1; i < 5; i++) insque(&items[i], &items[i / 2]);
  remque(&items[2]);
  for (struct item *i = items; i; i = i->next) printf("%d %d; ", (int)(i - items), i->before ? (int)(i->before - items) : -1);
  printf("\n");
  return 0;
}
