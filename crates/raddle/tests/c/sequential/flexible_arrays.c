// Flexible array members and GNU zero-length arrays.
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
struct buffer { int length; short items[]; };
struct old { char c; int items[0]; };
struct pair { int key; struct { char name[4]; int x; } rest[]; };
static struct buffer *make(int n) {
  struct buffer *b = malloc(sizeof *b + n * sizeof b->items[0]);
  b->length = n;
  for (int i = 0; i < n; i++) b->items[i] = i * i - 3;
  return b;
}
static struct buffer fixed = {3, {7, 8, 9}};
int main(void) {
  struct buffer *b = make(5);
  int sum = 0;
  for (int i = 0; i < b->length; i++) sum += b->items[i];
  printf("%d %d %d\n", sum, (int)sizeof(struct buffer), (int)offsetof(struct buffer, items));
  free(b);
  printf("%d %d\n", fixed.items[2], (int)sizeof fixed);
  struct old *o = malloc(sizeof *o + 2 * sizeof(int));
  o->items[1] = 42;
  printf("%d %d\n", (int)sizeof *o, *(int *)((char *)o + 8));
  struct pair *p = malloc(sizeof *p + 2 * sizeof p->rest[0]);
  p->rest[1].x = 5;
  p->rest[1].name[3] = 'z';
  printf("%d %c\n", p->rest[1].x, p->rest[1].name[3]);
  free(o);
  free(p);
  return 0;
}
