// false
// expect: explore false, oc false, cegar false, auto false
// A new object holds any value, and always the same one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
char *p;
void *reads(void *arg) {
  char value = *p;
  assert(*p == value);
  assert(value != 42);
  return 0;
}
int main(void) {
  pthread_t t;
  p = malloc(1);
  pthread_create(&t, 0, reads, 0);
  pthread_join(t, 0);
  return 0;
}
