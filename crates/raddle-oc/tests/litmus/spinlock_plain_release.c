// sc: true, tso: true, pso: false
// A lock given up by a plain store: under PSO it may be free before the counter is stored.
#include <pthread.h>
void reach_error(void);
static int lock, count;
static void *first(void *arg) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ;
  count = count + 1;
  lock = 0;
  return 0;
}
static void *second(void *arg) {
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) ;
  count = count + 1;
  lock = 0;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (count != 2) reach_error();
  return 0;
}
