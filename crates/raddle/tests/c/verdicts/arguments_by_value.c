// true
// expect: explore true, oc true, cegar true, auto true
// Threads made in a loop get their index by value and write to their own slots.
#include <assert.h>
#include <pthread.h>
#define N 3
static int slots[N];
static void *fill(void *arg) { long i = (long)arg; slots[i] = (int)i * 10; return arg; }
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, fill, (void *)i);
  for (int i = 0; i < N; i++) {
    void *r;
    pthread_join(t[i], &r);
    assert((long)r == i);
  }
  for (int i = 0; i < N; i++) assert(slots[i] == i * 10);
  return 0;
}
