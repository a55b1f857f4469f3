// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// The calls are there, and no execution gets to them.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ready;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
  pthread_mutex_lock(&mutex);
  if (ready > 1) {
    fork();
    __asm__("cpuid");
  }
  ready++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void)
{
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(ready == 2);
}
