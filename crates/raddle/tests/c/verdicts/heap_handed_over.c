// true
// expect: explore true, oc true, cegar slow, auto true
// A list built by one thread and freed by another after the join.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static void *build(void *arg) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = i;
    n->next = head;
    head = n;
  }
  return head;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, 0, build, 0);
  pthread_join(t, &result);
  int sum = 0;
  for (struct node *n = result, *next; n; n = next) {
    sum = sum * 10 + n->value;
    next = n->next;
    free(n);
  }
  assert(sum == 210);
  return 0;
}
