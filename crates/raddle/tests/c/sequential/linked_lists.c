// Linked lists on the heap: building, reversing, inserting in order, removing, pointers to pointers, doubly linked.
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  *n = (struct node){value, head};
  return n;
}
static struct node *reverse(struct node *head) {
  struct node *done = 0;
  while (head) { struct node *next = head->next; head->next = done; done = head; head = next; }
  return done;
}
static void insert(struct node **at, int value) {
  while (*at && (*at)->value < value) at = &(*at)->next;
  *at = push(*at, value);
}
static int discard(struct node **at, int value) {
  for (; *at; at = &(*at)->next)
    if ((*at)->value == value) { struct node *dead = *at; *at = dead->next; free(dead); return 1; }
  return 0;
}
static void show(const struct node *n) { for (; n; n = n->next) printf("%d ", n->value); putchar('\n'); }
struct both { int value; struct both *next, *prev; };
static void link_after(struct both *at, struct both *n) { n->next = at->next; n->prev = at; at->next->prev = n; at->next = n; }
static void unlink_node(struct both *n) { n->prev->next = n->next; n->next->prev = n->prev; }
static int length(const struct node *n) { return n ? 1 + length(n->next) : 0; }
int main(void) {
  struct node *list = 0, *sorted = 0;
  for (int i = 0; i < 5; i++) list = push(list, i * i);
  show(list);
  show(list = reverse(list));
  int values[] = {5, 2, 9, 2, 7};
  for (int i = 0; i < 5; i++) insert(&sorted, values[i]);
  show(sorted);
  int removed = discard(&sorted, 2) + discard(&sorted, 9) + discard(&sorted, 100);
  printf("%d %d\n", removed, length(sorted));
  show(sorted);
  struct both head = {-1, &head, &head}, nodes[4];
  for (int i = 0; i < 4; i++) { nodes[i].value = i; link_after(i % 2 ? &head : head.prev, &nodes[i]); }
  unlink_node(&nodes[0]);
  for (struct both *b = head.next; b != &head; b = b->next) printf("%d ", b->value);
  for (struct both *b = head.prev; b != &head; b = b->prev) printf("%d ", b->value);
  putchar('\n');
  while (list) { struct node *next = list->next; free(list); list = next; }
  while (sorted) discard(&sorted, sorted->value);
  return list == 0 && sorted == 0;
}
