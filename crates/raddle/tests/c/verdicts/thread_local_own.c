// true
// expect: explore true, oc true, cegar slow, auto true
// Every thread has its own copy with the initial value: scalars, arrays, structs and static locals.
#include <assert.h>
#include <pthread.h>
static __thread int x = 3;
static _Thread_local struct { int a[2]; int *self; } s = {{1, 2}};
static int next(void) { static __thread int n; return ++n; }
static void *work(void *arg) {
  assert(x == 3 && s.a[1] == 2 && s.self == 0);
  x += (int)(long)arg;
  s.a[1]++;
  s.self = &x;
  assert(next() == 1 && next() == 2);
  assert(*s.self == 3 + (long)arg && s.a[1] == 3);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, (void *)1);
  pthread_create(&u, 0, work, (void *)2);
  assert(x == 3 && next() == 1);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == 3 && s.a[1] == 2);
  return 0;
}
