// sc: true, tso: true, pso: true
// Stores that overlap keep their order.
#include <pthread.h>
void reach_error(void);
static union { int word; char bytes[4]; } x;
static int a;
static void *first(void *arg) {
  x.word = 0x01010101;
  x.bytes[0] = 2;
  return 0;
}
static void *second(void *arg) {
  a = x.word;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 2 || x.word != 0x01010102) reach_error();
  return 0;
}
