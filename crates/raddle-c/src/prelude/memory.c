/* Allocation, as far as it is not a label. Objects begin at multiples of 64. */

void *aligned_alloc(size_t alignment, size_t n)
{
  if (alignment > 64)
    __raddle_gap("`aligned_alloc` with more than 64");
  return malloc(n);
}

void *memalign(size_t alignment, size_t n)
{
  if (alignment > 64)
    __raddle_gap("`memalign` with more than 64");
  return malloc(n);
}

int posix_memalign(void **memory, size_t alignment, size_t n)
{
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return 22;
  if (alignment > 64)
    __raddle_gap("`posix_memalign` with more than 64");
  *memory = malloc(n);
  return 0;
}

void *realloc(void *old, size_t size)
{
  if (old && size == 0) {
    free(old);
    return 0;
  }
  size_t had = __raddle_object_size(old), n = had < size ? had : size;
  if (!old)
    return malloc(size);
  /* The old object ends before the new one begins: they may have the same place. */
  void *kept = malloc(n);
  memcpy(kept, old, n);
  free(old);
  void *new = malloc(size);
  memcpy(new, kept, n);
  free(kept);
  return new;
}

void *reallocarray(void *old, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    __raddle_errno = 12;
    return 0;
  }
  return realloc(old, bytes);
}

/* At least what was asked for. */
size_t malloc_usable_size(void *p)
{
  if (!p)
    return 0;
  long more = __VERIFIER_nondet_long();
  __VERIFIER_assume(more >= 0);
  return __raddle_object_size(p) + more;
}
