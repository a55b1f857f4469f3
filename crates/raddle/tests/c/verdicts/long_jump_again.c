// true
// expect: explore true, oc true, cegar true, auto true
// Buffers of one place in a loop are different jumps into the same activation.
#include <assert.h>
#include <setjmp.h>
static jmp_buf at[2];
static int i, arrivals, from;
static int runs(void) {
  for (i = 0; i < 2; i++)
    if ((from = setjmp(at[i])) != 0)
      return ++arrivals;
  longjmp(at[0], 5);
}
int main(void) {
  assert(runs() == 1 && i == 2 && from == 5);
  return 0;
}
