// true
// expect: explore true, oc unknown(bound-reached), cegar slow, auto true
// The __atomic builtins, by value and through pointers.
#include <assert.h>
#include <pthread.h>
static int x, y = 100, flag;
static unsigned char lock;
static int z;
static void *work(void *arg) {
  __atomic_fetch_add(&x, 3, __ATOMIC_RELAXED);
  __atomic_sub_fetch(&x, 1, __ATOMIC_SEQ_CST);
  int old, new;
  __atomic_load(&y, &old, __ATOMIC_ACQUIRE);
  do new = old - 7; while (!__atomic_compare_exchange(&y, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) ;
  z++;
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  int one = 1, before;
  __atomic_exchange(&flag, &one, &before, __ATOMIC_SEQ_CST);
  return (void *)(long)before;
}
int main(void) {
  pthread_t t, u;
  void *a, *b;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, &a);
  pthread_join(u, &b);
  assert(x == 4 && y == 86 && z == 2 && (long)a + (long)b == 1);
  __atomic_store_n(&x, 9, __ATOMIC_SEQ_CST);
  assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 9 && __atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST) == 9);
  assert(__atomic_fetch_nand(&x, 1, __ATOMIC_SEQ_CST) == 1 && x == -2);
  return 0;
}
