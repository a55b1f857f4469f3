// unknown
// expect: explore unknown(unmodelled), oc unknown(unmodelled), cegar unknown(unmodelled), auto unknown(unmodelled)
// A writer that waits keeps readers out of such a lock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock;
void *writer(void *arg)
{
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void)
{
  pthread_rwlockattr_t kind;
  pthread_t thread;
  pthread_rwlockattr_init(&kind);
  pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&lock, &kind);
  pthread_rwlock_rdlock(&lock);
  pthread_create(&thread, 0, writer, 0);
  assert(pthread_rwlock_tryrdlock(&lock) == 0);
}
