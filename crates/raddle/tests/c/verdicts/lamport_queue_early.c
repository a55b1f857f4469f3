// false
// expect: explore false, oc false, cegar false, auto false
// A ring whose tail moves before the item is there.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int ring[2];
static atomic_uint head, tail;
static int put(int x) {
  if (tail - head == 2) return 0;
  tail++;
  ring[(tail - 1) % 2] = x;
  return 1;
}
static int get(int *x) {
  if (head == tail) return 0;
  *x = ring[head % 2];
  head++;
  return 1;
}
static void *produce(void *arg) { for (int i = 1; i <= 3; i++) while (!put(i)) ; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, produce, 0);
  for (int i = 1; i <= 3; i++) {
    int x;
    while (!get(&x)) ;
    assert(x == i);
  }
  return 0;
}
