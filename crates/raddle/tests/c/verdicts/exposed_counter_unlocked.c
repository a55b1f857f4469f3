// false
// expect: explore false, oc false, cegar false, auto false
// Two threads count, without a mutex, where the exclusive or of two addresses leads.
#include <pthread.h>
#include <stdint.h>
extern void reach_error(void);
static int a, b;
static uintptr_t link;
static void *writer(void *unused) {
  uintptr_t y = (uintptr_t)&b;
  int *p = (int *)(link ^ y);
  int old = *p;
  *p = old + 1;
  return 0;
}
int main(void) {
  uintptr_t x = (uintptr_t)&a, y = (uintptr_t)&b;
  link = x ^ y;
  pthread_t s, t;
  pthread_create(&s, 0, writer, 0);
  pthread_create(&t, 0, writer, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  if (a != 2) reach_error();
  return 0;
}
