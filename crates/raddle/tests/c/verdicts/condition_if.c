// false
// expect: explore false, oc false, cegar false, auto false
// With `if` instead of `while` a consumer may go on although another took the item.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;
static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  if (items == 0) pthread_cond_wait(&c, &m);
  items--;
  assert(items >= 0);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, consume, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_mutex_lock(&m);
  items = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
