// true
// expect: explore true, oc true, cegar true, auto true
// reach_error is never called; its mention does not count, nor a label called ERROR.
void reach_error(void) {}
static void (*pointer)(void) = reach_error;
int main(void) {
  int x = 3;
  if (x > 5) pointer();
ERROR:
  return pointer == 0;
}
