// false
// expect: explore false, oc false, cegar false, auto false
// Without compare-and-exchange a pushed node is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *volatile top;
static void *push(void *arg) {
  struct node *n = malloc(sizeof *n);
  n->value = (int)(long)arg;
  n->next = top;
  top = n;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, push, (void *)1);
  pthread_create(&u, 0, push, (void *)2);
  pthread_join(t, 0);
  pthread_join(u, 0);
  int sum = 0;
  for (struct node *n = top; n; n = n->next) sum += n->value;
  assert(sum == 3);
  return 0;
}
