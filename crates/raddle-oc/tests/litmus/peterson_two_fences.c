// sc: true, tso: true, pso: false
// The stores of the way in are ordered; that of the way out may still overtake the counter.
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static int wish[2], turn, count;
static void *first(void *arg) {
  wish[0] = 1;
  atomic_thread_fence(memory_order_seq_cst);
  turn = 1;
  atomic_thread_fence(memory_order_seq_cst);
  while (wish[1] && turn == 1) ;
  count = count + 1;
  wish[0] = 0;
  return 0;
}
static void *second(void *arg) {
  wish[1] = 1;
  atomic_thread_fence(memory_order_seq_cst);
  turn = 0;
  atomic_thread_fence(memory_order_seq_cst);
  while (wish[0] && turn == 0) ;
  count = count + 1;
  wish[1] = 0;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  if (count != 2) reach_error();
  return 0;
}
