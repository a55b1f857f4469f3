// Pointers as integers and back; tagged pointers; alignment tricks; null and small constants.
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
static int target[4] = {1, 2, 3, 4};
static void *tag(void *p, int t) { return (void *)((uintptr_t)p | t); }
static int untag(void *p) { return *(int *)((uintptr_t)p & ~(uintptr_t)7); }
int main(void) {
  uintptr_t n = (uintptr_t)&target[1];
  int *p = (int *)(n + sizeof(int));
  printf("%d %d\n", *p, (int)((n - (uintptr_t)target) / sizeof *target));
  printf("%d %d\n", *(int *)(long)&target[3], (intptr_t)p > 0);
  int *heap = malloc(sizeof *heap);
  *heap = 42;
  void *tagged = tag(heap, 5);
  printf("%d %d\n", untag(tagged), (int)((uintptr_t)tagged & 7));
  free(heap);
  void *small = (void *)7;
  printf("%d %d\n", (int)(long)small, (char *)small - (char *)0 == 7);
  void *minus = (void *)-1;
  printf("%d %d\n", minus == (void *)-1l, (int)(intptr_t)minus);
  uint32_t half = (uint32_t)(uintptr_t)&target[0];
  printf("%d\n", half == (uint32_t)n - 4);
  uintptr_t up = ((uintptr_t)&target[1] + 15) & ~(uintptr_t)15;
  return (up & 15) == 0 && !(void *)0;
}
