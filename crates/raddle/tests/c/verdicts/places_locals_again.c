// false
// expect:
// The stack of a thread that has ended may be that of the next one, with its locals at the same places.
#include <assert.h>
#include <pthread.h>
long places[2];
static void *note(void *at) {
  int local = 1;
  *(long *)at = (long)&local;
  return 0;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 2; i++) {
    pthread_create(&t, 0, note, &places[i]);
    pthread_join(t, 0);
  }
  assert(places[0] != places[1]);
  return 0;
}
