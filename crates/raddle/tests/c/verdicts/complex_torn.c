// false
// expect: explore false, oc false, cegar false, auto false
// A complex number is written part by part: another thread may see half of it.
#include <assert.h>
#include <complex.h>
#include <pthread.h>

double _Complex shared;

void *writer(void *unused) {
  shared = 1 + 2 * I;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  double _Complex seen = shared;
  pthread_join(thread, 0);
  assert(shared * 2 == 2 + 4 * I);
  assert(seen == 0 || seen == shared);
}
