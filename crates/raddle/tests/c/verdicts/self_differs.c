// false
// expect: explore false, oc false, cegar false, auto false
// Two threads are never the same thread.
#include <assert.h>
#include <pthread.h>
static pthread_t own;
static void *tell(void *arg) { own = pthread_self(); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, tell, 0);
  pthread_join(t, 0);
  assert(pthread_equal(own, pthread_self()));
  return 0;
}
