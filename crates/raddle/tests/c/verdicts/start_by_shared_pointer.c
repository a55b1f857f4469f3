// false
// expect: explore false, oc false, cegar false, auto false
// Another thread says which function a thread runs.
#include <assert.h>
#include <pthread.h>
typedef void *(*Function)(void *);
Function function;
int x;
void *writes(void *arg) {
  x = 1;
  return 0;
}
void *chooses(void *arg) {
  function = writes;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, chooses, 0);
  Function chosen = function;
  if (chosen) {
    pthread_create(&u, 0, chosen, 0);
    pthread_join(u, 0);
    assert(x == 0);
  }
  return 0;
}
