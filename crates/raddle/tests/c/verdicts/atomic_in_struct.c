// true
// expect: explore true, oc true, cegar slow, auto true
// Atomic members of structs on the heap and in arrays; atomics of several widths.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct counters { _Atomic char c; _Atomic short s[2]; _Atomic long long l; };
static void *work(void *arg) {
  struct counters *k = arg;
  k->c++;
  k->s[1] -= 2;
  k->l += 1ll << 40;
  return 0;
}
int main(void) {
  struct counters *k = calloc(1, sizeof *k);
  pthread_t t, u;
  pthread_create(&t, 0, work, k);
  pthread_create(&u, 0, work, k);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(k->c == 2 && k->s[1] == -4 && k->s[0] == 0 && k->l == 1ll << 41);
  free(k);
  return 0;
}
