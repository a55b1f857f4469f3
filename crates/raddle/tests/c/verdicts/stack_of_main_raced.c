// false
// expect: explore false, oc false, cegar false, auto false
// Main reads its local before the thread that writes it is joined.
#include <assert.h>
#include <pthread.h>
static void *fill(void *arg) { *(int *)arg = 1; return 0; }
int main(void) {
  pthread_t t;
  int local = 0;
  pthread_create(&t, 0, fill, &local);
  int seen = local;
  pthread_join(t, 0);
  assert(seen == local);
  return 0;
}
