// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// In one interleaving only.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int ready;

void *worker(void *unused)
{
  ready = 1;
  return 0;
}

int main(void)
{
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (ready)
    fork();
  pthread_join(a, 0);
  assert(ready == 1);
}
