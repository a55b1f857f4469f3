// false
// expect: explore false, oc false, cegar slow, auto false
// Two control variables run the function twice.
#include <assert.h>
#include <pthread.h>
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static int runs;
static void setup(void) { runs++; }
int main(void) {
  for (int i = 0; i < 4; i++) pthread_once(&once[i % 2], setup);
  assert(runs == 1);
  return 0;
}
