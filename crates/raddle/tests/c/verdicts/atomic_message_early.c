// false
// expect: explore false, oc false, cegar false, auto false
// The flag is set between the two parts of the message.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data[2];
static atomic_int ready;
static void *sends(void *arg) {
  data[0] = 1;
  atomic_store(&ready, 1);
  data[1] = 2;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sends, 0);
  while (!atomic_load(&ready)) ;
  assert(data[0] == 1 && data[1] == 2);
  pthread_join(t, 0);
  return 0;
}
