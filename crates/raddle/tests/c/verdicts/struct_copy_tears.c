// false
// expect: explore false, oc false, cegar false, auto false
// Assigning a struct is not one step.
#include <assert.h>
#include <pthread.h>
static struct pair { int a, b; } shared;
static void *set(void *arg) { shared = (struct pair){1, 1}; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  struct pair copy = shared;
  assert(copy.a == copy.b);
  return 0;
}
