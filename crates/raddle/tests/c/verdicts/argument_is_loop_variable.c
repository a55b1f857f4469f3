// false
// expect: explore false, oc false, cegar false, auto false
// The address of the loop variable is passed: a thread may read it when it has moved on.
#include <assert.h>
#include <pthread.h>
static int seen[3];
static void *mark(void *arg) { seen[*(int *)arg] = 1; return 0; }
int main(void) {
  pthread_t t[2];
  int i;
  for (i = 0; i < 2; i++) pthread_create(&t[i], 0, mark, &i);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(seen[0] && seen[1]);
  return 0;
}
