// false
// expect: explore false, oc false, cegar false, auto false
// The same as what leads to an error: each would block for ever, or go unnoticed, if the function did not answer as glibc's does.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_attr_t attributes;
static pthread_barrier_t barrier;
static int refused;
static void *writer(void *own) {
  pthread_rwlock_wrlock(&lock);
  refused += pthread_rwlock_wrlock(&lock) == EDEADLK;
  refused += pthread_rwlock_rdlock(&lock) == EDEADLK;
  refused += pthread_join(*(pthread_t *)own, 0) == EDEADLK;
  pthread_mutex_lock(&mutex);
  refused += pthread_mutex_destroy(&mutex) == EBUSY;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_attr_init(&attributes);
  refused += pthread_attr_setinheritsched(&attributes, 99) == EINVAL;
  refused += pthread_attr_setstacksize(&attributes, 100) == EINVAL;
  refused += pthread_barrier_init(&barrier, 0, 0x80000000) == EINVAL;
  pthread_create(&t, &attributes, writer, &t);
  pthread_join(t, 0);
  assert(refused != 7);
  return 0;
}
