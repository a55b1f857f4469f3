// false
// expect: explore false, oc false, cegar false, auto false
// The pointer is published before what it points to is complete.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { int full; };
static struct box *volatile published;
static void *publish(void *arg) {
  struct box *b = calloc(1, sizeof *b);
  published = b;
  b->full = 1;
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
