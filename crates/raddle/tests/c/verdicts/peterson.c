// true
// expect: explore true, oc true, cegar true, auto true
// Peterson's algorithm.
#include <assert.h>
#include <pthread.h>
static volatile int flag[2], turn, inside;
static void *enter(void *arg) {
  long me = (long)arg, you = 1 - me;
  flag[me] = 1;
  turn = (int)you;
  while (flag[you] && turn == you) ;
  assert(!inside);
  inside = 1;
  inside = 0;
  flag[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, enter, (void *)0);
  pthread_create(&b, 0, enter, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
