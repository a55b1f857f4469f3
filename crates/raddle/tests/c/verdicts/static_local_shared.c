// false
// expect: explore false, oc false, cegar false, auto false
// A static local is shared by all threads.
#include <assert.h>
#include <pthread.h>
static int next(void) { static int n; return ++n; }
static void *take(void *arg) { *(int *)arg = next(); return 0; }
int main(void) {
  pthread_t t, u;
  int a, b;
  pthread_create(&t, 0, take, &a);
  pthread_create(&u, 0, take, &b);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a != b);
  return 0;
}
