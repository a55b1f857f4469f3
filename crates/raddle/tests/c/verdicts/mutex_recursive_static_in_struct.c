// true
// expect: explore true, oc true, cegar true, auto true
// Recursive mutexes by static initialiser in an array of structs; the depth counts.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
struct guarded { int value; pthread_mutex_t lock; };
static struct guarded g[2] = {{0, PTHREAD_MUTEX_INITIALIZER}, {0, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};
static void add(int n) {
  pthread_mutex_lock(&g[1].lock);
  g[1].value++;
  if (n) add(n - 1);
  pthread_mutex_unlock(&g[1].lock);
}
static void *work(void *arg) { add(1); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(g[1].value == 4);
  return 0;
}
