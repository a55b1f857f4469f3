// true
// expect: explore true, oc true, cegar true, auto true
// The pointer is published when what it points to is complete.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct box { int full; };
static _Atomic(struct box *) published;
static void *publish(void *arg) {
  struct box *b = calloc(1, sizeof *b);
  b->full = 1;
  published = b;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  struct box *b = published;
  if (b) assert(b->full);
  pthread_join(t, 0);
  return 0;
}
