/* <stdlib.h>: sorting and searching. */

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  __raddle_byte *items = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0; j--) {
      __raddle_byte *a = items + (j - 1) * size, *b = a + size;
      if (compare(a, b) <= 0)
        break;
      for (size_t k = 0; k < size; k++) {
        __raddle_byte byte = a[k];
        a[k] = b[k];
        b[k] = byte;
      }
    }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
  const __raddle_byte *items = base;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(key, items + middle * size);
    if (order == 0)
      return (void *)(items + middle * size);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}
