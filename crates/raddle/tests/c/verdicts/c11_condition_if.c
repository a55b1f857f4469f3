// false
// expect: explore false, oc false, cegar false, auto false
// cnd_wait may return although nothing was signalled.
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int ready;
static int set(void *arg) {
  mtx_lock(&m);
  ready = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, set, 0);
  mtx_lock(&m);
  if (!ready) cnd_wait(&c, &m);
  assert(ready);
  mtx_unlock(&m);
  return 0;
}
