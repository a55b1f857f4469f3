// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// A consumer that waits in a loop finds the item, whatever wakes it.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items, taken;
static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  while (items == 0) pthread_cond_wait(&c, &m);
  items--;
  taken++;
  assert(items >= 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    items++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(items == 0 && taken == 2);
  return 0;
}
