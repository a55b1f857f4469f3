// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// cnd_wait in a loop, with broadcast.
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int ready, woken;
static int waits(void *arg) {
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  woken++;
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&a, waits, 0);
  thrd_create(&b, waits, 0);
  mtx_lock(&m);
  ready = 1;
  cnd_broadcast(&c);
  mtx_unlock(&m);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(woken == 2);
  cnd_destroy(&c);
  return 0;
}
