// false
// The first assertion holds of the library's logarithm, though no bound says so; the second one fails.
#include <assert.h>
#include <math.h>
#include <pthread.h>
float root;
void *work(void *arg) {
  double y = log(10);
  assert(y >= 0.5);
  root = powf((float)y, 0.5f);
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  assert(root < 1.5f);
  return 0;
}
