// false
// expect: explore false, oc false, cegar false, auto false
// expect:
// A violation that needs nothing without a model counts.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

void *worker(void *unused)
{
  if (x == 1)
    fork();
  x = 2;
  return 0;
}

int main(void)
{
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  x = 1;
  int seen = x;
  pthread_join(a, 0);
  assert(seen == 1);
}
