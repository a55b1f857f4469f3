// true
// expect: explore true, oc true, cegar true, auto true
// expect:
// `flockfile` keeps other threads out.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int inside;
static void *print(void *unused) {
  flockfile(stdout);
  assert(ftrylockfile(stdout) == 0);
  inside++;
  assert(inside == 1);
  inside--;
  funlockfile(stdout);
  funlockfile(stdout);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, print, 0);
  pthread_create(&b, 0, print, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
