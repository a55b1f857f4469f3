// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// What can be had at once does not time out; times, counts and values that cannot be are errors.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
int main(void) {
  struct timespec never = {0, 0}, wrong = {0, 1000000000};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_barrier_t barrier;
  sem_t semaphore;
  assert(pthread_mutex_timedlock(&mutex, &never) == 0);
  assert(pthread_cond_timedwait(&condition, &mutex, &wrong) == EINVAL);
  assert(pthread_rwlock_timedwrlock(&lock, &never) == 0);
  assert(sem_init(&semaphore, 0, 0x80000000u) == -1 && errno == EINVAL);
  assert(sem_init(&semaphore, 0, 0x7fffffffu) == 0);
  assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
  assert(sem_timedwait(&semaphore, &never) == 0);
  assert(sem_timedwait(&semaphore, &wrong) == -1 && errno == EINVAL);
  assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
  return 0;
}
