/* Allocation, as far as it is not a label. */

int posix_memalign(void **memory, size_t alignment, size_t n)
{
  *memory = malloc(n);
  return 0;
}

void *realloc(void *old, size_t size)
{
  size_t had = __raddle_object_size(old);
  void *new = malloc(size);
  memcpy(new, old, had < size ? had : size);
  free(old);
  return new;
}

void *reallocarray(void *old, size_t count, size_t size)
{
  return realloc(old, count * size);
}
