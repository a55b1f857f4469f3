// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// Timed waits of <threads.h> say whether they timed out.
#include <assert.h>
#include <threads.h>
#include <time.h>
static mtx_t m;
static cnd_t c;
static int ready;
static int set(void *arg) { mtx_lock(&m); ready = 1; cnd_signal(&c); mtx_unlock(&m); return 0; }
int main(void) {
  thrd_t t;
  struct timespec ts = {0, 5};
  mtx_init(&m, mtx_timed);
  cnd_init(&c);
  thrd_create(&t, set, 0);
  thrd_detach(t);
  thrd_yield();
  thrd_sleep(&ts, 0);
  int l = mtx_timedlock(&m, &ts);
  assert(l == thrd_success || l == thrd_timedout);
  if (l != thrd_success) return 0;
  int r = thrd_success;
  while (!ready && r == thrd_success) r = cnd_timedwait(&c, &m, &ts);
  assert(ready || r == thrd_timedout);
  mtx_unlock(&m);
  return 0;
}
