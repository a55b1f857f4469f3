// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// expect:
// The owner's death is not modelled: a lock that blocks for ever would be a wrong proof.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t mutex;
static void *owner(void *unused) { pthread_mutex_lock(&mutex); return 0; }
int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, 0, owner, 0);
  pthread_join(thread, 0);
  assert(pthread_mutex_lock(&mutex) != EOWNERDEAD);
  return 0;
}
