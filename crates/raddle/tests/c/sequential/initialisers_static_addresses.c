// Static initialisers that are addresses: parts of objects, past the end, functions, differences, casts.
#include <stdio.h>
#include <stddef.h>
struct node { int value; struct node *next, *prev; };
struct box { char c; struct node nodes[3]; int tail[4]; };
static struct box box;
extern struct node ring[];
static int *into = &box.tail[2];
static int *beyond = box.tail + 4;
static struct node *second = &box.nodes[1];
static int *field = &box.nodes[2].value;
static char *bytes = (char *)&box + 4;
struct node ring[3] = {{1, ring + 1, &ring[2]}, {2, &ring[2], ring}, {3, ring, &ring[1]}};
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static const struct { const char *name; int (*f)(int); } table[] = {{"twice", twice}, {"thrice", &thrice}};
static long address = (long)&box;
static int **pointer = &into;
static void *anything[] = {&box, table, (void *)&twice, 0};
static const size_t where = offsetof(struct box, nodes[1].next);
static const int constants = sizeof(ring) / sizeof(ring[0]) * 10 + (1 ? 2 : 3) + (5 > 3) + ('b' - 'a') + ~0;
static double quotient = 1.0 / 4 + (float)1e-1;
static unsigned char wraps = 300;
static float narrow = 16777217;
static _Bool truth = 0.5, from_address = &box;
int main(void) {
  *into = 5; *field = 6; *bytes = 7;
  second->value = 8;
  printf("%d %d %d\n", box.tail[2], box.nodes[2].value, box.nodes[1].value);
  printf("%d %d\n", (int)(beyond - into), (char *)second == (char *)&box + offsetof(struct box, nodes) + sizeof(struct node));
  struct node *n = ring;
  for (int i = 0; i < 7; i++, n = i % 3 ? n->next : n->prev) printf("%d ", n->value);
  printf("\n%s %d %d\n", table[1].name, table[0].f(5), table[1].f(5));
  printf("%d %d %d %d\n", address == (long)anything[0], **pointer, anything[2] == (void *)twice, anything[3] == 0);
  printf("%d %d %.10g %d %.1f %d %d\n", (int)where, constants, quotient, wraps, narrow, truth, from_address);
  *pointer = beyond - 1;
  *into = 77;
  return box.tail[3];
}
