// true
// expect: explore true, oc true, cegar slow, auto true
// call_once, tss_t and thread_local.
#include <assert.h>
#include <threads.h>
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int runs;
static thread_local int mine = 5;
static void setup(void) { runs++; tss_create(&key, 0); }
static int work(void *arg) {
  call_once(&flag, setup);
  assert(tss_get(key) == 0 && mine == 5);
  tss_set(key, arg);
  mine = *(int *)arg;
  assert(tss_get(key) == arg && mine == *(int *)arg);
  return 0;
}
int main(void) {
  thrd_t a, b;
  int x = 1, y = 2;
  thrd_create(&a, work, &x);
  thrd_create(&b, work, &y);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(runs == 1 && mine == 5);
  return 0;
}
