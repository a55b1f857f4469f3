// false
// expect: explore false, oc false, cegar false, auto false
// The same function under another name is not atomic.
#include <assert.h>
#include <pthread.h>
static int x, locked;
static int take(void) {
  if (locked) return 0;
  locked = 1;
  return 1;
}
static void *work(void *arg) {
  while (!take()) ;
  x++;
  locked = 0;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 2);
  return 0;
}
