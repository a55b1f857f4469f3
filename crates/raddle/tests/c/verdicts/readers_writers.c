// true
// expect: explore true, oc unknown(bound-reached), cegar true, auto true
// The first reader locks the writers out, the last lets them in.
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int room;
static int readers, data;
static void enter_room(void) { int free = 0; while (!__atomic_compare_exchange_n(&room, &free, 1, 0, 5, 5)) free = 0; }
static void *reads(void *arg) {
  pthread_mutex_lock(&count_lock);
  if (++readers == 1) enter_room();
  pthread_mutex_unlock(&count_lock);
  int a = data, b = data;
  assert(a == b);
  pthread_mutex_lock(&count_lock);
  if (--readers == 0) room = 0;
  pthread_mutex_unlock(&count_lock);
  return 0;
}
static void *writes(void *arg) {
  enter_room();
  data++;
  room = 0;
  return 0;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, reads, 0);
  pthread_create(&t[1], 0, reads, 0);
  pthread_create(&t[2], 0, writes, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
