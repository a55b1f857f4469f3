// true
// expect: explore true, oc true, cegar slow, auto true
// Each thread has its own jumps.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static _Thread_local jmp_buf where;
static void tries(int n) {
  if (n > 0)
    longjmp(where, n);
}
static void *runs(void *arg) {
  int result = setjmp(where);
  if (result == 0)
    tries((int)(long)arg);
  return (void *)(long)result;
}
int main(void) {
  pthread_t a, b;
  void *of_a, *of_b;
  pthread_create(&a, 0, runs, (void *)0);
  pthread_create(&b, 0, runs, (void *)2);
  pthread_join(a, &of_a);
  pthread_join(b, &of_b);
  assert((long)of_a == 0 && (long)of_b == 2);
  return 0;
}
