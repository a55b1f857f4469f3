// true
// expect: explore true, oc true, cegar true, auto true
// What has not changed since setjmp, and what is volatile, static or on the heap, is as it was.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf where;
static void leaves(int *counter) {
  ++*counter;
  longjmp(where, 0);
}
int main(void) {
  int before = 5, pair[2] = {1, 2};
  volatile int changed = 0;
  int *counter = malloc(sizeof *counter);
  *counter = 0;
  int result = setjmp(where);
  if (result == 0) {
    changed = 7;
    leaves(counter);
  }
  assert(result == 1 && before == 5 && pair[1] == 2 && changed == 7 && *counter == 1);
  return 0;
}
