// false
// expect: explore false, oc false, cegar false, auto false
// A value set by main is not there in another thread.
#include <assert.h>
#include <pthread.h>
static pthread_key_t k;
static void *work(void *arg) {
  assert(pthread_getspecific(k) != 0);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&k, 0);
  pthread_setspecific(k, &k);
  assert(pthread_getspecific(k) == &k);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
