// true
// expect: explore true, oc true, cegar slow, auto true
// A list whose links are exclusive ors of addresses is walked from one end to the other.
#include <stdint.h>
extern void reach_error(void);
struct node { int value; uintptr_t link; };
static struct node a, b, c;
static void tie(struct node *n, struct node *before, struct node *after) {
  uintptr_t x = (uintptr_t)before, y = (uintptr_t)after;
  n->link = x ^ y;
}
int main(void) {
  a.value = 1;
  b.value = 2;
  c.value = 3;
  tie(&a, 0, &b);
  tie(&b, &a, &c);
  tie(&c, &b, 0);
  uintptr_t before = 0, here = (uintptr_t)&a;
  int sum = 0;
  while (here) {
    struct node *n = (struct node *)here;
    uintptr_t next = n->link ^ before;
    sum = 10 * sum + n->value;
    before = here;
    here = next;
  }
  if (sum != 123) reach_error();
  return 0;
}
