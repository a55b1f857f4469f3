// false
// expect: explore false, oc false, cegar false, auto false
// Two threads are stuck; main is not, and reaches the error.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int got_a, got_b, passed;
static void *one(void *arg) { pthread_mutex_lock(&a); got_a = 1; pthread_mutex_lock(&b); passed = 1; return 0; }
static void *two(void *arg) { pthread_mutex_lock(&b); got_b = 1; pthread_mutex_lock(&a); passed = 1; return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  if (got_a && got_b) assert(passed);
  return 0;
}
