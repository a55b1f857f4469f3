// true
// expect: explore true, oc true, cegar slow, auto true
// A thread works on main's local while main waits.
#include <assert.h>
#include <pthread.h>
static void *fill(void *arg) { int *a = arg; for (int i = 0; i < 4; i++) a[i] = i * i; return 0; }
int main(void) {
  pthread_t t;
  int a[4] = {9, 9, 9, 9};
  pthread_create(&t, 0, fill, a);
  pthread_join(t, 0);
  for (int i = 0; i < 4; i++) assert(a[i] == i * i);
  return 0;
}
