// true
// expect: explore true, oc true, cegar slow, auto true
// A semaphore that is made anew has its value, and is the same under its name; others may have one of that name.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
int main(void) {
  sem_t *semaphore = sem_open("/mine", O_CREAT | O_EXCL, 0600, 2);
  if (semaphore == SEM_FAILED) {
    assert(errno == EEXIST);
    return 0;
  }
  sem_wait(semaphore);
  sem_t *again = sem_open("/mine", 0);
  assert(again == semaphore && sem_trywait(again) == 0 && sem_trywait(again) == -1);
  assert(sem_open("/mine", O_CREAT | O_EXCL, 0600, 2) == SEM_FAILED);
  assert(sem_unlink("/mine") == 0 && sem_close(semaphore) == 0);
  return 0;
}
