// false
// expect: explore false, oc false, cegar false, auto false
// Main may be faster than the thread that exits.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *quits(void *arg) { exit(0); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, quits, 0);
  assert(0);
  return 0;
}
