// true
// expect: explore true, oc true, cegar slow, auto true
// Handles are values: copied, swapped, kept on the heap and in unions.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *same(void *arg) { return arg; }
union h { pthread_t t; char bytes[sizeof(pthread_t)]; };
int main(void) {
  pthread_t *t = malloc(2 * sizeof *t), tmp;
  pthread_create(t, 0, same, (void *)1);
  pthread_create(t + 1, 0, same, (void *)2);
  tmp = t[0], t[0] = t[1], t[1] = tmp;
  union h h = {t[0]}, g;
  for (unsigned i = 0; i < sizeof h; i++) g.bytes[i] = h.bytes[i];
  void *a, *b;
  pthread_join(g.t, &a);
  pthread_join(t[1], &b);
  assert((long)a == 2 && (long)b == 1);
  free(t);
  return 0;
}
