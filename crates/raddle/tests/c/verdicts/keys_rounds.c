// true
// expect: explore true, oc true, cegar slow, auto true
// A destructor that sets the value again is run again, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
#include <assert.h>
#include <pthread.h>
static pthread_key_t k;
static int runs;
static void again(void *value) { runs++; if (runs < 3) pthread_setspecific(k, value); }
static void *work(void *arg) { pthread_setspecific(k, &runs); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&k, again);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(runs == 3);
  return 0;
}
