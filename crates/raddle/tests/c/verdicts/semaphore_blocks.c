// true
// expect: explore true, oc true, cegar true, auto true
// Nobody posts: the wait never ends.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *takes(void *arg) { sem_wait(&s); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 1);
  pthread_create(&t, 0, takes, 0);
  pthread_join(t, 0);
  sem_wait(&s);
  assert(0);
  return 0;
}
