// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// Functions run at exit, also when another thread calls it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int x;
static void late(void) { assert(x == 0); }
static void *ends(void *unused) { x = 1; exit(0); }
int main(void) {
  pthread_t thread;
  atexit(late);
  pthread_create(&thread, 0, ends, 0);
  return 0;
}
