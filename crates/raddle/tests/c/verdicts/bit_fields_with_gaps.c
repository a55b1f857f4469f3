// true
// expect: explore true, oc true, cegar true, auto true
// Bit-fields with gaps between them, initialised and then changed.
#include <assert.h>
struct flags { unsigned a : 3, : 7, b : 9; int c : 5; } ;
struct flags copy(struct flags f) { f.b++; return f; }
int main(void) {
  struct flags f = {5, 300, -3}, g = {.c = 4};
  f = copy(f);
  g.a = 2;
  assert(f.a == 5 && f.b == 301 && f.c == -3 && g.a == 2 && g.b == 0 && g.c == 4);
  return 0;
}
