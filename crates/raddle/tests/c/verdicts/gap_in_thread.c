// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// The thread begins with the call, and the program may end before it gets there.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int x;

void *worker(void *unused)
{
  fork();
  x = 1;
  return 0;
}

int main(void)
{
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  assert(x == 0);
}
