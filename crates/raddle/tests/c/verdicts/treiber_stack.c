// true
// expect: explore true, oc slow, cegar slow, auto true
// Treiber's stack: two threads push, then what is popped is what was pushed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value;
  n->next = top;
  while (!atomic_compare_exchange_weak(&top, &n->next, n)) ;
}
static int pop(void) {
  struct node *n = top;
  while (n && !atomic_compare_exchange_strong(&top, &n, n->next)) ;
  return n ? n->value : 0;
}
static void *work(void *arg) { push((int)(long)arg); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)1);
  pthread_create(&u, 0, work, (void *)2);
  int early = pop();
  pthread_join(t, 0);
  pthread_join(u, 0);
  int a = pop(), b = pop();
  assert(early + a + b == 3 && pop() == 0);
  return 0;
}
