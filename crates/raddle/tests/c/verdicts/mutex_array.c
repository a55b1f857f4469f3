// true
// expect: explore true, oc true, cegar true, auto true
// One mutex for each cell of an array.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m[2];
static int cells[2];
static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(m + i);
    cells[i] += 1;
    pthread_mutex_unlock(&m[i]);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  for (int i = 0; i < 2; i++) pthread_mutex_init(&m[i], 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(cells[0] == 2 && cells[1] == 2);
  return 0;
}
