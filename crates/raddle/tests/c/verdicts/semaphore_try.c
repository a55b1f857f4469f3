// true
// expect: explore true, oc true, cegar true, auto true
// sem_trywait fails with EAGAIN when the count is zero; sem_getvalue tells the count.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
int main(void) {
  sem_t s;
  int value = -1;
  sem_init(&s, 0, 1);
  assert(sem_trywait(&s) == 0);
  errno = 0;
  assert(sem_trywait(&s) == -1 && errno == EAGAIN);
  sem_post(&s);
  sem_post(&s);
  sem_getvalue(&s, &value);
  assert(value == 2);
  return 0;
}
