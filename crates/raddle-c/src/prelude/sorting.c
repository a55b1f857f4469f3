/* Sorting and searching in arrays: <stdlib.h>, <search.h>. */

static void __raddle_swap(__raddle_byte *a, __raddle_byte *b, size_t size)
{
  for (size_t k = 0; k < size; k++) {
    __raddle_byte byte = a[k];
    a[k] = b[k];
    b[k] = byte;
  }
}

/* Whether elements change places. Equal ones may end in any order; nobody sees that of elements that are the same. */
static _Bool __raddle_out_of_order(int order, const __raddle_byte *a, const __raddle_byte *b, size_t size)
{
  if (order != 0)
    return order > 0;
  size_t k = 0;
  while (k < size && a[k] == b[k])
    k++;
  return k < size && __VERIFIER_nondet_bool();
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  __raddle_byte *items = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      __raddle_byte *a = items + (j - 1) * size, *b = a + size;
      if (!__raddle_out_of_order(compare(a, b), a, b, size))
        break;
      __raddle_swap(a, b, size);
    }
}

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *arg)
{
  __raddle_byte *items = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      __raddle_byte *a = items + (j - 1) * size, *b = a + size;
      if (!__raddle_out_of_order(compare(a, b, arg), a, b, size))
        break;
      __raddle_swap(a, b, size);
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  const __raddle_byte *items = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(key, items + middle * size);
    if (order == 0) {
      /* Any of those that are equal. */
      while (middle > low && compare(key, items + (middle - 1) * size) == 0)
        middle--;
      while (middle + 1 < high && compare(key, items + (middle + 1) * size) == 0 && __VERIFIER_nondet_bool())
        middle++;
      return (void *)(items + middle * size);
    }
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
  const __raddle_byte *items = base;
  for (size_t i = 0; i < *count; i++)
    if (compare(key, items + i * size) == 0)
      return (void *)(items + i * size);
  return 0;
}

/* What is not found is added. */
void *lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *))
{
  void *found = lfind(key, base, count, size, compare);
  return found ? found : memcpy((__raddle_byte *)base + (*count)++ * size, key, size);
}

/* A list linked both ways: its elements begin with the next one and the one before. */
void insque(void *element, void *before)
{
  void **e = element, **b = before;
  if (!b) {
    e[0] = e[1] = 0;
    return;
  }
  e[0] = b[0];
  e[1] = b;
  if (b[0])
    ((void **)b[0])[1] = e;
  b[0] = e;
}

void remque(void *element)
{
  void **next = ((void **)element)[0], **before = ((void **)element)[1];
  if (next)
    next[1] = before;
  if (before)
    before[0] = next;
}
