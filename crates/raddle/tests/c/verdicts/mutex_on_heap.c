// true
// expect: explore true, oc true, cegar unknown(unsupported), auto true
// A mutex inside a struct on the heap, reached through a helper.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct shared { int count; pthread_mutex_t lock; };
static void enter(struct shared *s) { pthread_mutex_lock(&s->lock); }
static void leave(struct shared *s) { pthread_mutex_unlock(&s->lock); }
static void *work(void *arg) {
  struct shared *s = arg;
  enter(s);
  s->count++;
  leave(s);
  return 0;
}
int main(void) {
  struct shared *s = malloc(sizeof *s);
  s->count = 0;
  pthread_mutex_init(&s->lock, 0);
  pthread_t a, b;
  pthread_create(&a, 0, work, s);
  pthread_create(&b, 0, work, s);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(s->count == 2);
  pthread_mutex_destroy(&s->lock);
  free(s);
  return 0;
}
