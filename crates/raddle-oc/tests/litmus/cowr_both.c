// sc: true, tso: true, pso: true
// Two threads do not each see the other's store after their own (n5 of Owens, Sarkar, Sewell 2009).
#include <pthread.h>
void reach_error(void);
static int x;
static int a, b;
static void *first(void *arg) {
  x = 1;
  a = x;
  return 0;
}
static void *second(void *arg) {
  x = 2;
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 2 && b == 1) reach_error();
  return 0;
}
