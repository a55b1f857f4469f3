// true
// expect:
// What C and the ABI promise about addresses: tags in low bits, order in an array, different objects, lists that are freed.
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
int x, y, array[3];
extern int __VERIFIER_nondet_int(void);
int main(void) {
  struct node *head = 0, *n;
  for (int i = 0; i < 2; i++) {
    n = malloc(sizeof *n);
    n->next = head;
    n->value = i;
    head = n;
  }
  unsigned long tagged = (unsigned long)head | 1;
  assert(tagged & 1 && ((struct node *)(tagged & ~7ul))->value == 1);
  assert(head->next != head && head->next->next == 0);
  int *p = __VERIFIER_nondet_int() ? &x : &y, sum = 0;
  assert(p && (p == &x || p == &y));
  for (int *q = array; q < array + 3; q++) sum += q - array;
  assert(sum == 3);
  while ((n = head)) {
    head = n->next;
    free(n);
  }
  return 0;
}
