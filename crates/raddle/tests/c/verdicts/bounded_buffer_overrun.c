// false
// expect: explore false, oc false, cegar false, auto false
// Producer and consumer share a ring of two slots with two conditions: a full ring is not waited for, and an item is overwritten.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int ring[2], count, head, tail;
static void put(int x) {
  pthread_mutex_lock(&m);
  ring[tail] = x;
  tail = (tail + 1) % 2;
  count++;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}
static int get(void) {
  pthread_mutex_lock(&m);
  while (count == 0) pthread_cond_wait(&not_empty, &m);
  int x = ring[head];
  head = (head + 1) % 2;
  count--;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return x;
}
static void *produce(void *arg) { for (int i = 1; i <= 3; i++) put(i); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  for (int i = 1; i <= 3; i++) assert(get() == i);
  pthread_join(t, 0);
  assert(count == 0);
  return 0;
}
