// true
// expect: explore true, oc true, cegar true, auto true
// <threads.h>: results of threads, plain mutexes, thrd_exit, equality.
#include <assert.h>
#include <threads.h>
static mtx_t m;
static int x;
static int work(void *arg) {
  mtx_lock(&m);
  x += *(int *)arg;
  mtx_unlock(&m);
  if (*(int *)arg == 2) thrd_exit(-5);
  return 100 + *(int *)arg;
}
int main(void) {
  thrd_t t[2];
  int args[2] = {1, 2}, r[2];
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  for (int i = 0; i < 2; i++) assert(thrd_create(&t[i], work, &args[i]) == thrd_success);
  assert(!thrd_equal(t[0], t[1]) && !thrd_equal(t[0], thrd_current()));
  for (int i = 0; i < 2; i++) thrd_join(t[i], &r[i]);
  assert(x == 3 && r[0] == 101 && r[1] == -5);
  mtx_destroy(&m);
  return 0;
}
