// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// A copy of a mutex has no meaning in POSIX; one of a plain mutex is a plain mutex here.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int main(void)
{
  pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  pthread_mutex_t *copy = malloc(sizeof plain);
  *copy = plain;
  pthread_mutex_lock(copy);
  pthread_mutex_unlock(copy);
  *copy = recursive;
  pthread_mutex_lock(copy);
  pthread_mutex_lock(copy);
  assert(0);
}
