// unknown
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// Atomic operations on structs through pointers are not modelled.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct s { int a, b; };
static struct s shared;
static void *work(void *arg) {
  struct s old, new;
  __atomic_load(&shared, &old, __ATOMIC_SEQ_CST);
  do { new = old; new.a++; new.b--; } while (!__atomic_compare_exchange(&shared, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(shared.a == 2 && shared.b == -2);
  return 0;
}
