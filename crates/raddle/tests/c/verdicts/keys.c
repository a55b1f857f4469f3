// true
// expect: explore true, oc true, cegar slow, auto true
// Each thread has its own value for a key, null at first.
#include <assert.h>
#include <pthread.h>
static pthread_key_t k, l;
static void *work(void *arg) {
  assert(pthread_getspecific(k) == 0);
  pthread_setspecific(k, arg);
  pthread_setspecific(l, &k);
  assert(pthread_getspecific(k) == arg && pthread_getspecific(l) == &k);
  return 0;
}
int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_key_create(&k, 0);
  pthread_key_create(&l, 0);
  pthread_create(&a, 0, work, &x);
  pthread_create(&b, 0, work, &y);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(pthread_getspecific(k) == 0);
  return 0;
}
