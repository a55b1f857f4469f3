// false
// expect: explore false, oc false, cegar false, auto false
// A semaphore that begins with 2 lets two in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *inc(void *arg) {
  sem_wait(&s);
  x++;
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t a, b;
  sem_init(&s, 0, 2);
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  sem_destroy(&s);
  return 0;
}
