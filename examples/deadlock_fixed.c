// The same as deadlock.c, but accounts have numbers: the lower one is always locked first.
#include <pthread.h>

struct account {
  int number, balance;
  pthread_mutex_t lock;
};

struct account alice = {1, 100, PTHREAD_MUTEX_INITIALIZER};
struct account bob = {2, 100, PTHREAD_MUTEX_INITIALIZER};

void transfer(struct account *from, struct account *to, int amount) {
  struct account *low = from->number < to->number ? from : to;
  struct account *high = low == from ? to : from;
  pthread_mutex_lock(&low->lock);
  pthread_mutex_lock(&high->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&high->lock);
  pthread_mutex_unlock(&low->lock);
}

void *rent(void *arg) {
  transfer(&alice, &bob, 30);
  return 0;
}

void *refund(void *arg) {
  transfer(&bob, &alice, 10);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, rent, 0);
  pthread_create(&second, 0, refund, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
