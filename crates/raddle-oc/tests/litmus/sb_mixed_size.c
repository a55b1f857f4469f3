// sc: true, tso: false, pso: false
// Each thread sees the other bytes of a word without the other's store.
#include <pthread.h>
void reach_error(void);
static union { int word; char bytes[4]; } x;
static int a, b;
static void *first(void *arg) {
  x.bytes[0] = 1;
  a = x.word;
  return 0;
}
static void *second(void *arg) {
  x.bytes[1] = 1;
  b = x.word;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 1 && b == 256) reach_error();
  return 0;
}
