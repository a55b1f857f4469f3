// true
// expect: explore true, oc true, cegar true, auto true
// Three philosophers who all take the left fork first may starve, but no fork is ever in two hands.
#include <assert.h>
#include <pthread.h>
#define N 3
static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int hands[N];
static void take(int i) { pthread_mutex_lock(&forks[i]); assert(hands[i] == 0); hands[i] = 1; }
static void put(int i) { hands[i] = 0; pthread_mutex_unlock(&forks[i]); }
static void *eat(void *arg) {
  int i = (int)(long)arg, j = (i + 1) % N;
  take(i);
  take(j);
  put(j);
  put(i);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, eat, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
