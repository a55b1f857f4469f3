// true
// expect: explore true, oc true, cegar slow, auto true
// The destructor of a key runs when a thread with a value ends, by return or by pthread_exit.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_key_t k;
static _Atomic int sum;
static void destroy(void *value) { sum += *(int *)value; free(value); }
static void *work(void *arg) {
  if ((long)arg == 0) return 0;
  int *v = malloc(sizeof *v);
  *v = (int)(long)arg;
  pthread_setspecific(k, v);
  if (*v == 2) pthread_exit(0);
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_key_create(&k, destroy);
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(sum == 3);
  return 0;
}
