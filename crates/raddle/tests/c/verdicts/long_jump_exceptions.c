// true
// expect: explore true, oc true, cegar slow, auto true
// Exceptions made of jumps: each block has a buffer, and what it does not handle goes on to the next one.
#include <assert.h>
#include <setjmp.h>
struct block {
  jmp_buf handler;
  struct block *outer;
};
static struct block *innermost;
static void throws(int what) {
  struct block *block = innermost;
  innermost = block->outer;
  longjmp(block->handler, what);
}
static int works(int n) {
  if (n > 2)
    throws(n);
  return n;
}
static int guarded(int n) {
  struct block block;
  volatile int result = -1;
  block.outer = innermost;
  innermost = &block;
  int what = setjmp(block.handler);
  if (what == 0) {
    result = works(n);
    innermost = block.outer;
  } else if (what == 3) {
    result = 100;
  } else {
    throws(what);
  }
  return result;
}
int main(void) {
  static struct block block;
  innermost = &block;
  int what = setjmp(block.handler);
  if (what == 0) {
    assert(guarded(1) == 1);
    assert(guarded(3) == 100);
    guarded(5);
    assert(0);
  }
  assert(what == 5 && innermost == 0);
  return 0;
}
