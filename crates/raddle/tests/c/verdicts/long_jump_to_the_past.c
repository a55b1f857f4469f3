// true
// expect: explore true, oc true, cegar true, auto true
// A jump to a function that has returned, and one to another thread, are undefined: the path ends.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static jmp_buf old, of_main;
static int is_set;
static void sets(void) { setjmp(old); }
static void *jumps(void *unused) {
  longjmp(of_main, 1);
}
int main(void) {
  pthread_t thread;
  if (setjmp(of_main))
    assert(0);
  pthread_create(&thread, 0, jumps, 0);
  sets();
  if (!is_set) {
    is_set = 1;
    longjmp(old, 1);
  }
  assert(0);
  return 0;
}
