// false
// expect: explore false, oc false, cegar false, auto false
// Writing a bit-field reads and writes the bytes around it.
#include <assert.h>
#include <pthread.h>
static struct { unsigned a : 4, b : 4; } s;
static void *low(void *arg) { s.a = 5; return 0; }
static void *high(void *arg) { s.b = 6; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, low, 0);
  pthread_create(&u, 0, high, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(s.a == 5 && s.b == 6);
  return 0;
}
