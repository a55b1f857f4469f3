// true
// expect: explore true, oc true, cegar slow, auto true
// Instances of one thread function have locals of their own, in registers and in memory.
#include <assert.h>
#include <pthread.h>
static void add(int *to, int by) { *to += by; }
static void *work(void *arg) {
  int base = (int)(long)arg, array[2] = {base, base + 1}, sum = 0;
  for (int i = 0; i < 2; i++) add(&sum, array[i]);
  assert(sum == 2 * base + 1);
  return (void *)(long)sum;
}
int main(void) {
  pthread_t t[2];
  void *r[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(i * 5));
  for (int i = 0; i < 2; i++) pthread_join(t[i], &r[i]);
  assert((long)r[0] == 1 && (long)r[1] == 11);
  return 0;
}
