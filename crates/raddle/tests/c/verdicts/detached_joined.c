// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto slow
// Joining a detached thread is undefined; glibc answers EINVAL, or the thread has ended and nobody knows.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *arg) { return 0; }
int main(void) {
  pthread_attr_t detached;
  pthread_t t, u;
  pthread_attr_init(&detached);
  assert(pthread_attr_setdetachstate(&detached, 99) != 0);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, 0, nothing, 0);
  pthread_create(&u, &detached, nothing, 0);
  pthread_join(t, 0);
  assert(pthread_join(u, 0) == 0);
  return 0;
}
