// sc: true, tso: true, pso: true
// Store buffering under a mutex.
#include <pthread.h>
void reach_error(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y;
static int a, b;
static void *first(void *arg) {
  pthread_mutex_lock(&m);
  x = 1;
  a = y;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *second(void *arg) {
  pthread_mutex_lock(&m);
  y = 1;
  b = x;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (a == 0 && b == 0) reach_error();
  return 0;
}
