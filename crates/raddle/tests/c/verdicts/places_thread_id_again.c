// false
// expect:
// The id of a thread that was joined may be given to another one.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *unused) { return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, nothing, 0);
  pthread_join(t, 0);
  pthread_create(&u, 0, nothing, 0);
  assert(!pthread_equal(t, u));
  pthread_join(u, 0);
  return 0;
}
