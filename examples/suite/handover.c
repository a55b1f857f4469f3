// A value is handed over with a release store and an acquire load: whoever sees the flag sees the value.
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

int value;
atomic_int ready;

void *produce(void *unused) {
  value = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    ;
  if (value != 42)
    reach_error();
  pthread_join(producer, 0);
  return 0;
}
