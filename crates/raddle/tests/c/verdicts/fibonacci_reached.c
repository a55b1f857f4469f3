// false
// expect: explore false, oc false, cegar slow, auto false
// Two threads add to each other's variable; one schedule reaches 21.
#include <assert.h>
#include <pthread.h>
static int i = 1, j = 1;
static void *first(void *arg) { for (int k = 0; k < 3; k++) i = i + j; return 0; }
static void *second(void *arg) { for (int k = 0; k < 3; k++) j = j + i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(i < 21 && j < 21);
  return 0;
}
