// false
// expect: explore false, oc false, cegar false, auto false
// Two threads are joined in one atomic section, in which they cannot end: they have to be over before it begins.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) {}

int done, rounds;

void *work(void *unused) {
  done++;
  return 0;
}

int main(void) {
  pthread_t first, second, third;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  __VERIFIER_atomic_begin();
  pthread_join(first, 0);
  pthread_join(second, 0);
  __VERIFIER_atomic_end();
  pthread_create(&third, 0, work, 0);
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 2; i++) rounds++;
  pthread_join(third, 0);
  __VERIFIER_atomic_end();
  if (done == 3 && rounds == 2) reach_error();
  return 0;
}
