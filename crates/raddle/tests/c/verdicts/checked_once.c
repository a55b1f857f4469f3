// false
// expect: explore false, oc false, cegar false, auto false
// Initialisation that is not checked again under the mutex may happen twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;
static int made;
static int *get(void) {
  int *p = instance;
  if (!p) {
    pthread_mutex_lock(&m);
    p = malloc(sizeof *p);
    *p = ++made;
    instance = p;
    pthread_mutex_unlock(&m);
  }
  return p;
}
static void *work(void *arg) { return get(); }
int main(void) {
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, &a);
  pthread_join(u, &b);
  assert(a == b && *(int *)a == 1 && made == 1);
  return 0;
}
