// true
// expect: explore true, oc true, cegar true, auto true
// pthread_self is the handle that pthread_create stored; threads are equal to themselves only.
#include <assert.h>
#include <pthread.h>
static pthread_t own[2];
static void *tell(void *arg) { own[(long)arg] = pthread_self(); return 0; }
int main(void) {
  pthread_t t[2], me = pthread_self();
  pthread_create(&t[0], 0, tell, (void *)0);
  pthread_create(&t[1], 0, tell, (void *)1);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(pthread_equal(t[0], own[0]) && pthread_equal(own[1], t[1]));
  assert(!pthread_equal(own[0], own[1]) && !pthread_equal(me, t[0]));
  assert(pthread_equal(me, pthread_self()));
  return 0;
}
