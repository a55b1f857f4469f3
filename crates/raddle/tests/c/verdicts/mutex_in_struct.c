// true
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto slow
// Transfers between accounts, each with its mutex, always locked in the same order.
#include <assert.h>
#include <pthread.h>
struct account { pthread_mutex_t lock; int balance; };
static struct account a = {PTHREAD_MUTEX_INITIALIZER, 10}, b = {PTHREAD_MUTEX_INITIALIZER, 10};
static void transfer(struct account *from, struct account *to, int amount) {
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}
static void *there(void *arg) { transfer(&a, &b, 3); return 0; }
static void *back(void *arg) { transfer(&b, &a, 5); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, there, 0);
  pthread_create(&u, 0, back, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a.balance == 12 && b.balance == 8);
  return 0;
}
