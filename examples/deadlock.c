// Two transfers in opposite directions: each has locked one account and waits for the other.
#include <pthread.h>

struct account {
  int balance;
  pthread_mutex_t lock;
};

struct account alice = {100, PTHREAD_MUTEX_INITIALIZER};
struct account bob = {100, PTHREAD_MUTEX_INITIALIZER};

void transfer(struct account *from, struct account *to, int amount) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
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
