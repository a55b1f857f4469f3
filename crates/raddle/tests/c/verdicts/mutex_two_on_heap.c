// false
// expect: explore false, oc false, cegar unknown(unsupported), auto false
// Each thread locks the mutex of its own object, but both change the same counter.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct guard { pthread_mutex_t lock; int *counter; };
static int counter;
static void *work(void *arg) {
  struct guard *g = arg;
  pthread_mutex_lock(&g->lock);
  ++*g->counter;
  pthread_mutex_unlock(&g->lock);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    struct guard *g = malloc(sizeof *g);
    pthread_mutex_init(&g->lock, 0);
    g->counter = &counter;
    pthread_create(&t[i], 0, work, g);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(counter == 2);
  return 0;
}
