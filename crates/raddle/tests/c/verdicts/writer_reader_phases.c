// false
// expect: explore false, oc false, cegar false, auto false
// A reader between two write phases sees the first one.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int phase;
static void *writes(void *arg) {
  for (int i = 1; i <= 2; i++) { pthread_rwlock_wrlock(&l); phase = i; pthread_rwlock_unlock(&l); }
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  pthread_rwlock_rdlock(&l);
  int a = phase, b = phase;
  pthread_rwlock_unlock(&l);
  assert(a == b);
  assert(a != 1);
  return 0;
}
