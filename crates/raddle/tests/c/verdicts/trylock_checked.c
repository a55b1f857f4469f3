// true
// expect: explore true, oc true, cegar true, auto true
// Who gets the lock by trylock is alone; who does not, does nothing.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside, done;
static void *visit(void *arg) {
  int answer = pthread_mutex_trylock(&m);
  assert(answer == 0 || answer == EBUSY);
  if (answer) return 0;
  assert(!inside);
  inside = 1;
  done++;
  inside = 0;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, visit, 0);
  pthread_create(&b, 0, visit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(done == 1 || done == 2);
  assert(pthread_mutex_trylock(&m) == 0 && pthread_mutex_trylock(&m) == EBUSY);
  return 0;
}
