// true
// expect: explore true, oc true, cegar true, auto true
// A message is published with release and read with acquire.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data[2];
static atomic_int ready;
static void *sends(void *arg) {
  data[0] = 1;
  data[1] = 2;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, sends, 0);
  while (!atomic_load_explicit(&ready, memory_order_acquire)) ;
  assert(data[0] == 1 && data[1] == 2);
  pthread_join(t, 0);
  return 0;
}
