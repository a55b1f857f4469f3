// Pointer arithmetic, comparison, differences, pointers to pointers, void pointers, and casts between pointer types.
#include <stdio.h>
#include <stddef.h>
struct item { int key; char tag; short s; };
static int first(const void *p) { return *(const int *)p; }
int main(void) {
  int a[10];
  for (int *p = a; p != a + 10; p++) *p = (int)(p - a) * 3;
  int *begin = a, *end = &a[10], *mid = begin + (end - begin) / 2;
  printf("%d %d %d\n", *mid, mid[-2], end[-1]);
  printf("%d %d %d %d\n", begin < end, mid >= end, &a[3] == a + 3, a + 3 > mid);
  printf("%d %d\n", (int)(end - begin), (int)((char *)end - (char *)begin));
  int **pp = &mid, ***ppp = &pp;
  **pp = 100;
  ***ppp += 1;
  *pp += 2;
  printf("%d %d\n", a[5], *mid);
  void *v = a;
  v += 4;
  printf("%d %d\n", *(int *)v, first((char *)a + 8));
  struct item items[3] = {{1, 'a', 10}, {2, 'b', 20}, {3, 'c', 30}}, *i = items + 1;
  printf("%d %c %d\n", i->key, i[1].tag, (*(i - 1)).s);
  struct item *container = (struct item *)((char *)&items[2].s - offsetof(struct item, s));
  printf("%d %d\n", container->key, (int)(container - items));
  unsigned char *bytes = (unsigned char *)&items[1];
  printf("%d %d\n", bytes[0], bytes[offsetof(struct item, tag)]);
  const char *text = "hello";
  const char *scan = text;
  while (*scan) scan++;
  printf("%d %s\n", (int)(scan - text), scan - 2);
  int *null = 0;
  printf("%d %d %d\n", null == NULL, !null, null ? 1 : 2);
  ptrdiff_t back = begin - mid;
  printf("%d %d\n", (int)back, *(mid + back));
  long index = 3;
  unsigned char small = 2;
  printf("%d %d %d\n", a[index - 5 + 2 + 1], mid[-(int)small], *(small + a));
  int (*whole)[10] = &a;
  printf("%d %d\n", (*whole)[9], (int)((char *)(whole + 1) - (char *)whole));
  return &a[2] - &a[0] == 2 && (void *)&a == (void *)a;
}
