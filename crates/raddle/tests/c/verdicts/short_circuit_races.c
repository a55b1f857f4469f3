// false
// expect: explore false, oc false, cegar false, auto false
// A null check and the use after it are two reads of the pointer.
#include <assert.h>
#include <pthread.h>
static int value = 1, *p = &value;
static int used_null;
static void *clear(void *arg) { p = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  if (p != 0 && p == 0) used_null = 1;
  pthread_join(t, 0);
  assert(!used_null);
  return 0;
}
