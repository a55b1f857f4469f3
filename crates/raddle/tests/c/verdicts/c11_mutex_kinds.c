// true
// expect: explore true, oc true, cegar true, auto true
// mtx_recursive counts; mtx_trylock answers thrd_busy; a plain mutex locked twice blocks.
#include <assert.h>
#include <threads.h>
static mtx_t r, p;
static int other(void *arg) {
  assert(mtx_trylock(&r) == thrd_busy);
  return 0;
}
int main(void) {
  thrd_t t;
  mtx_init(&r, mtx_plain | mtx_recursive);
  mtx_init(&p, mtx_plain);
  mtx_lock(&r);
  mtx_lock(&r);
  mtx_unlock(&r);
  thrd_create(&t, other, 0);
  thrd_join(t, 0);
  mtx_unlock(&r);
  assert(mtx_trylock(&p) == thrd_success);
  mtx_lock(&p);
  assert(0);
  return 0;
}
