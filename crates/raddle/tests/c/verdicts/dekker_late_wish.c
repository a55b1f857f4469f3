// false
// expect: explore false, oc false, cegar false, auto false
// Dekker's algorithm that asks for the other's wish before it makes its own known.
#include <assert.h>
#include <pthread.h>
static volatile int wants[2], turn, x;
static void *enter(void *arg) {
  long me = (long)arg, you = 1 - me;
  while (wants[you])
    if (turn != me) {
      wants[me] = 0;
      while (turn != me) ;
    }
  wants[me] = 1;
  int old = x;
  x = old + 1;
  turn = (int)you;
  wants[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, enter, (void *)0);
  pthread_create(&b, 0, enter, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
