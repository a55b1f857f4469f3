// true
// expect: explore unknown(unsupported), oc unknown(unsupported), cegar unknown(unsupported), auto unknown(unsupported)
// A function is called whose address was hidden by an exclusive or.
#include <stdint.h>
extern void reach_error(void);
static int called;
static void f(void) { called = 1; }
static void g(void) { called = 2; }
static uintptr_t key, hidden;
int main(void) {
  uintptr_t x = (uintptr_t)f, y = (uintptr_t)g;
  hidden = x ^ y;
  key = y;
  void (*h)(void) = (void (*)(void))(hidden ^ key);
  h();
  if (called != 1) reach_error();
  return 0;
}
