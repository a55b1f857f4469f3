// true
// expect: explore true, oc true, cegar true, auto true
// What a thread is told that asks for a lock which it holds, that gives a time which is none, or that destroys what is held.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec none = {0, -1}, some = {1, 0};
static int writes;
static void *writer(void *own) {
  assert(pthread_rwlock_wrlock(&lock) == 0);
  writes++;
  assert(pthread_rwlock_wrlock(&lock) == EDEADLK && pthread_rwlock_rdlock(&lock) == EDEADLK);
  assert(pthread_rwlock_tryrdlock(&lock) == EBUSY && pthread_rwlock_timedwrlock(&lock, &some) == EDEADLK);
  assert(writes == 1);
  writes--;
  pthread_rwlock_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, 0, writer, 0);
  pthread_create(&u, 0, writer, 0);
  int answer = pthread_rwlock_timedrdlock(&lock, &some);
  assert(answer == 0 && writes == 0 || answer == ETIMEDOUT);
  if (answer == 0)
    pthread_rwlock_unlock(&lock);
  assert(pthread_rwlock_timedrdlock(&lock, &none) == EINVAL);
  assert(pthread_mutex_timedlock(&mutex, &none) == EINVAL && pthread_mutex_destroy(&mutex) == EBUSY);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(pthread_rwlock_trywrlock(&lock) == 0);
  return 0;
}
