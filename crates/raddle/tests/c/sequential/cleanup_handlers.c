/* Handlers run in reverse order when a thread ends, through functions that are left; joining gives the result. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int log_;
static void add(void *arg) { log_ = log_ * 10 + (int)(long)arg; }
static void unlock(void *arg) { pthread_mutex_unlock(arg); }
static void inner(void) {
  pthread_cleanup_push(add, (void *)3);
  pthread_exit((void *)77);
  pthread_cleanup_pop(0);
}
static void *run(void *arg) {
  pthread_cleanup_push(add, (void *)1);
  pthread_cleanup_push(add, (void *)2);
  pthread_cleanup_push(unlock, &m);
  pthread_mutex_lock(&m);
  inner();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return 0;
}
int main(void) {
  pthread_t t; void *r;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, &r);
  printf("%d %d\n", log_, (int)(long)r);
  printf("%d\n", pthread_mutex_trylock(&m));
  pthread_cleanup_push(add, (void *)4);
  pthread_cleanup_pop(1);
  printf("%d\n", log_);
  return 0;
}
