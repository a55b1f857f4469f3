// true
// expect: explore true, oc true, cegar true, auto true
// An _Atomic struct is read and written as a whole.
#include <assert.h>
#include <pthread.h>
struct pair { int a, b; };
static _Atomic struct pair shared;
static void *set(void *arg) { struct pair p = {1, 1}; shared = p; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  struct pair copy = shared;
  assert(copy.a == copy.b);
  return 0;
}
