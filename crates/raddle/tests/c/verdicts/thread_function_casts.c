// true
// expect: explore true, oc true, cegar true, auto true
// Thread functions of other types through casts: without parameters, without results, with an int.
#include <assert.h>
#include <pthread.h>
static int x, y, z;
static void nothing(void) { x = 1; }
static int number(int n) { y = n; return n + 1; }
static void *pointer(int *p) { z = *p; return p; }
int main(void) {
  pthread_t a, b, c;
  int five = 5;
  void *r, *p;
  pthread_create(&a, 0, (void *(*)(void *))nothing, 0);
  pthread_create(&b, 0, (void *(*)(void *))number, (void *)4);
  pthread_create(&c, 0, (void *)pointer, &five);
  pthread_join(a, 0);
  pthread_join(b, &r);
  pthread_join(c, &p);
  assert(x == 1 && y == 4 && (int)(long)r == 5 && z == 5 && p == &five);
  return 0;
}
