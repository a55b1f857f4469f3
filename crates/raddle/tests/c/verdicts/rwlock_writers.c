// true
// expect: explore true, oc true, cegar true, auto true
// Writers exclude each other and the readers.
#include <assert.h>
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y;
static void *write(void *arg) {
  pthread_rwlock_wrlock(&l);
  x++;
  y++;
  pthread_rwlock_unlock(&l);
  return 0;
}
static void *read(void *arg) {
  pthread_rwlock_rdlock(&l);
  assert(x == y);
  pthread_rwlock_unlock(&l);
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, write, 0);
  pthread_create(&b, 0, write, 0);
  pthread_create(&c, 0, read, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  assert(x == 2);
  return 0;
}
