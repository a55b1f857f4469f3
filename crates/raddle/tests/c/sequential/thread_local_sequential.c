// Thread-local variables behave like static ones in a program with one thread.
#include <stdio.h>
static __thread int counter = 3;
_Thread_local struct { int x; int a[3]; } state = {1, {2, 3}};
static _Thread_local int *where = 0;
static int bump(void) {
  static __thread int calls;
  return ++calls + counter++;
}
extern __thread int elsewhere;
__thread int elsewhere = 40;
__thread const char *text = "per thread";
int main(void) {
  int a = bump(), b = bump();
  printf("%d %d %d\n", a, b, counter);
  state.a[2] = state.a[0] + state.x;
  where = &state.a[2];
  (*where)++;
  printf("%d %d %s\n", state.a[2], state.a[1], text);
  int *p = &counter;
  *p += 10;
  return elsewhere + (counter == 15);
}
